import type { Session } from '../session.ts'
import type { Outbox } from './outbox.ts'

/** How many recordings of earlier participants wait, were refused or are damaged. The counts say nothing about any of them. */
export interface EarlierRecordings {
  /** They are sent when there is a connection. */
  waiting: number
  /** The server did not accept them, or a part of them. They stay on this device, and are sent again. */
  refused: number
  /** Of these, this device has lost a part before it was sent. Since the page was opened. */
  lost: number
}

/**
 * Recordings of earlier participants of a shared device that the server does not have yet. They are sent in the background, and erased
 * here afterwards; no screen shows or plays them.
 */
export interface Queue {
  readonly size: number
  readonly earlier: EarlierRecordings
  /** Takes over a recording that its participant has finished. */
  add(session: Session): void
  onChange(listener: () => void): () => void
}

/** A closed project can be opened again, and a limit raised. */
const RETRY_REFUSED_MS = 300_000
/** Withdrawn by the participant, with the link of the receipt, or erased by the host. */
const WITHDRAWN = new Set(['not_found', 'participant_token_rejected'])

export function createQueue(outbox: Outbox): Queue {
  const waiting = new Set<Session>()
  /** Those of which the server has refused at least a part the last time that it responded. */
  const refused = new Set<Session>()
  let lostOfSent = 0
  const listeners = new Set<() => void>()
  const changed = () => {
    for (const listener of listeners) listener()
  }

  async function erase(session: Session): Promise<void> {
    waiting.delete(session)
    refused.delete(session)
    session.dispose()
    await outbox.remove(session.recording.id)
    changed()
  }

  function follow(session: Session): void {
    let willRetry = false
    const check = () => {
      const { sending } = session.state
      if (!waiting.has(session)) return
      const isWithdrawn = sending.kind === 'refused' && WITHDRAWN.has(sending.code)
      const isShort = sending.kind === 'finished' && sending.isKept
      if (isWithdrawn) return void erase(session)
      if (sending.kind === 'finished' && !isShort) {
        if (sending.missingMs > 0) lostOfSent += 1
        return void erase(session)
      }
      if (sending.kind === 'refused' || isShort) {
        refused.add(session)
        if (!willRetry) retryLater()
      }
      changed()
    }
    const retryLater = () => {
      willRetry = true
      setTimeout(() => {
        willRetry = false
        session.retry()
      }, RETRY_REFUSED_MS)
    }
    session.onChange(check)
    check()
  }

  return {
    get size() {
      return waiting.size
    },
    get earlier() {
      const lost = [...waiting].filter(({ state }) => state.lostMs > 0)
      return {
        waiting: waiting.size - refused.size,
        refused: refused.size,
        lost: lostOfSent + lost.length,
      }
    },
    add(session) {
      session.stopRecorder()
      waiting.add(session)
      follow(session)
      changed()
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
