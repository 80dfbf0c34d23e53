import type { Session } from '../session.ts'
import type { Outbox } from './outbox.ts'

/**
 * Recordings of earlier participants of a shared device that the server does not have yet. They are sent in the background, and erased
 * here afterwards; no screen shows or plays them.
 */
export interface Queue {
  readonly size: number
  /** Takes over a recording that its participant has finished. */
  add(session: Session): void
  onChange(listener: () => void): () => void
}

/** A closed project can be opened again, and a limit raised. */
const RETRY_REFUSED_MS = 300_000
/** Withdrawn by the participant, with the link of the receipt. */
const WITHDRAWN = new Set(['not_found', 'participant_token_rejected'])

export function createQueue(outbox: Outbox): Queue {
  const waiting = new Set<Session>()
  const listeners = new Set<() => void>()
  const changed = () => {
    for (const listener of listeners) listener()
  }

  async function erase(session: Session): Promise<void> {
    waiting.delete(session)
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
      if ((sending.kind === 'finished' && !isShort) || isWithdrawn) return void erase(session)
      if ((sending.kind !== 'refused' && !isShort) || willRetry) return
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
