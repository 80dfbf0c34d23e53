import { Refusal, Unreachable } from '../api.ts'
import type { Outbox, Recording } from './outbox.ts'
import { sendRecording } from './send-recording.ts'

/** What the page shows about sending. */
export type Sending =
  | { kind: 'idle' }
  | { kind: 'sending' }
  /** The server is not reached; the next attempt follows by itself. */
  | { kind: 'waiting' }
  /** Repeating does not help. */
  | { kind: 'refused'; code: string }
  /** The server has everything, and the conversation is finished. */
  | { kind: 'finished' }

export interface Sender {
  readonly state: Sending
  /** Something was recorded, sealed or finished. */
  wake(): void
  /** After a refusal that the participant has resolved. */
  retry(): void
  stop(): void
}

const FIRST_PAUSE_MS = 1_000
const MAX_PAUSE_MS = 30_000
/** A proxy can ask for hours; a participant waits in front of the screen. */
const MAX_RETRY_AFTER_MS = 60_000

/** Sends a recording until the server has all of it, and again whenever there is more. */
export function createSender(outbox: Outbox, recording: Recording, onChange: () => void): Sender {
  const over = new AbortController()
  let state: Sending = { kind: 'idle' }
  let wakeUp: () => void = () => {}
  let isAwake = true
  let failures = 0

  const show = (next: Sending): void => {
    state = next
    onChange()
  }
  const sleep = (ms: number | null): Promise<void> =>
    new Promise((resolve) => {
      const timer = ms === null ? undefined : setTimeout(resolve, ms)
      wakeUp = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  const progress = {
    // During an outage the page keeps saying so, instead of changing with every attempt.
    onRequest: () => failures === 0 && state.kind !== 'sending' && show({ kind: 'sending' }),
    onReceived: () => {
      failures = 0
      show({ kind: 'sending' })
    },
  }

  async function run(): Promise<void> {
    while (!over.signal.aborted) {
      isAwake = false
      try {
        const isFinished = await sendRecording(outbox, recording, over.signal, progress)
        failures = 0
        show({ kind: isFinished ? 'finished' : 'idle' })
        if (!isAwake) await sleep(null)
      } catch (error) {
        if (over.signal.aborted) return
        if (error instanceof Refusal) {
          show({ kind: 'refused', code: error.code })
          await sleep(null)
        } else {
          show({ kind: 'waiting' })
          await sleep(pauseAfter(failures, error))
          failures += 1
        }
      }
    }
  }

  const tryNow = (): void => {
    failures = 0
    wakeUp()
  }
  addEventListener('online', tryNow, { signal: over.signal })
  void run()
  return {
    get state() {
      return state
    },
    wake: () => {
      isAwake = true
      // New audio does not shorten the pause after a failure.
      if (state.kind === 'idle' || state.kind === 'finished') wakeUp()
    },
    retry: tryNow,
    stop: () => {
      over.abort()
      wakeUp()
    },
  }
}

/** Doubles, with jitter, so that the phones of a hall do not come back together after an outage. */
function pauseAfter(failures: number, error: unknown): number {
  const own = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures) * (0.5 + Math.random())
  const asked = error instanceof Unreachable ? error.retryAfterMs : 0
  // Not a number if the server names a date.
  return asked > 0 ? Math.max(own, Math.min(asked, MAX_RETRY_AFTER_MS) * (1 + Math.random() / 4)) : own
}
