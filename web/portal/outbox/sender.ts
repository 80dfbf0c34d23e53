import { RequestRejected, Unreachable } from '../api.ts'
import type { Outbox, Recording } from './outbox.ts'
import { type End, explainRejection, type Failures, sendRecording } from './send-recording.ts'

/** The state of sending, as the page shows it. */
export type Sending =
  | { kind: 'idle' }
  | { kind: 'sending' }
  /** The server cannot be reached; the next attempt follows automatically. */
  | { kind: 'waiting' }
  /** Repeating does not help. */
  | { kind: 'refused'; code: string }
  /** The conversation is finished. The server has everything, except what it refuses and what the device has lost. */
  | ({ kind: 'finished' } & End)

export interface Sender {
  readonly state: Sending
  /** The numbers of chunks that the server has refused. They are sent again by `retry`. */
  readonly refused: ReadonlySet<number>
  /** Something was recorded or sealed. */
  wake(): void
  /** Sends everything that the server does not have, also what it has refused. */
  retry(): void
  stop(): void
}

const FIRST_PAUSE_MS = 1_000
const MAX_PAUSE_MS = 30_000
/** A proxy can ask for hours; a participant waits in front of the screen. */
const MAX_RETRY_AFTER_MS = 60_000

/** Sends a recording until the server has all of it, and again whenever there is more. */
export function createSender(
  outbox: Outbox,
  recording: Recording,
  onChange: (state: Sending) => void,
): Sender {
  const over = new AbortController()
  let state: Sending = { kind: 'idle' }
  let wakeUp: () => void = () => {}
  let isAwake = true
  let failedAttempts = 0
  const failures: Failures = new Map()

  const show = (next: Sending): void => {
    state = next
    onChange(next)
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
    onRequest: () => failedAttempts === 0 && state.kind !== 'sending' && show({ kind: 'sending' }),
    onReceived: () => {
      failedAttempts = 0
      show({ kind: 'sending' })
    },
  }

  async function run(): Promise<void> {
    while (!over.signal.aborted) {
      isAwake = false
      try {
        const end = await sendRecording(outbox, recording, failures, over.signal, progress)
        failedAttempts = 0
        show(end ? { kind: 'finished', ...end } : { kind: 'idle' })
        if (!isAwake) await sleep(null)
      } catch (thrown) {
        const error = thrown instanceof RequestRejected ? await explainRejection(thrown, recording) : thrown
        if (over.signal.aborted) return
        failures.clear()
        if (error instanceof RequestRejected) {
          show({ kind: 'refused', code: error.code })
          await sleep(null)
        } else {
          show({ kind: 'waiting' })
          await sleep(pauseAfter(failedAttempts, error))
          failedAttempts += 1
        }
      }
    }
  }

  const tryNow = (): void => {
    failedAttempts = 0
    wakeUp()
  }
  addEventListener('online', tryNow, { signal: over.signal })
  void run()
  return {
    get state() {
      return state
    },
    get refused() {
      return new Set(
        [...failures].flatMap(([seq, reason]) => (reason instanceof RequestRejected ? [seq] : [])),
      )
    },
    wake: () => {
      isAwake = true
      // New audio does not shorten the pause after a failure.
      if (state.kind === 'idle' || state.kind === 'finished') wakeUp()
    },
    retry: () => {
      isAwake = true
      failures.clear()
      // The end before this attempt no longer counts.
      if (state.kind === 'finished') show({ kind: 'sending' })
      tryNow()
    },
    stop: () => {
      over.abort()
      wakeUp()
    },
  }
}

/** Doubles, with jitter, so that the phones of a hall do not come back together after an outage. */
function pauseAfter(failedAttempts: number, error: unknown): number {
  const own = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failedAttempts) * (0.5 + Math.random())
  const asked = error instanceof Unreachable ? error.retryAfterMs : 0
  // Not a number if the server names a date.
  return asked > 0 ? Math.max(own, Math.min(asked, MAX_RETRY_AFTER_MS) * (1 + Math.random() / 4)) : own
}
