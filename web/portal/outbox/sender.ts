import * as api from '../api.ts'
import type { ChunkState, Outbox, Recording } from './outbox.ts'

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

/**
 * Sends a recording in order: start, chunks, text, finish. A chunk counts as sent after the server's answer, which it gives when the
 * bytes are on disk. Every request can be repeated safely.
 */
export function createSender(outbox: Outbox, recording: Recording, onChange: () => void): Sender {
  const over = new AbortController()
  let state: Sending = { kind: 'idle' }
  let wakeUp: () => void = () => {}
  let isAwake = true
  let attempts = 0

  const show = (next: Sending): void => {
    state = next
    onChange()
  }
  const wake = (): void => {
    isAwake = true
    wakeUp()
  }
  const sleep = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = ms === Number.POSITIVE_INFINITY ? 0 : setTimeout(resolve, ms)
      wakeUp = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  async function run(): Promise<void> {
    while (!over.signal.aborted) {
      isAwake = false
      try {
        const isFinished = await sendAll(outbox, recording, over.signal, () => {
          attempts = 0
          show({ kind: 'sending' })
        })
        if (isFinished) return show({ kind: 'finished' })
        show({ kind: 'idle' })
        if (!isAwake) await sleep(Number.POSITIVE_INFINITY)
      } catch (error) {
        if (over.signal.aborted) return
        if (error instanceof api.Refusal) {
          show({ kind: 'refused', code: error.code })
          await sleep(Number.POSITIVE_INFINITY)
        } else {
          show({ kind: 'waiting' })
          const asked = error instanceof api.Unreachable ? error.retryAfterMs : 0
          await sleep(Math.max(asked, pauseAfter(attempts++)))
        }
      }
    }
  }

  const goOn = (): void => {
    attempts = 0
    wakeUp()
  }
  addEventListener('online', goOn, { signal: over.signal })
  // New audio does not shorten the pause after a failure.
  void run()
  return {
    get state() {
      return state
    },
    wake: () => (state.kind === 'idle' || state.kind === 'sending' ? wake() : undefined),
    retry: goOn,
    stop: () => {
      over.abort()
      wakeUp()
    },
  }
}

/** Doubles, with jitter, so that the phones of a hall do not come back together after an outage. */
const pauseAfter = (attempts: number): number =>
  Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempts) * (0.5 + Math.random())

/** Resolves with whether the conversation is finished, or rejects at the first request that fails. */
async function sendAll(
  outbox: Outbox,
  recording: Recording,
  signal: AbortSignal,
  onSending: () => void,
): Promise<boolean> {
  if (recording.started === null) {
    onSending()
    recording.started = await api.startConversation(recording.projectId, recording.answers, recording.id)
    await outbox.save(recording)
  }
  const started = recording.started
  const isDue = ({ seq, isSent }: ChunkState) => !isSent && seq < recording.sealed
  for (const chunk of (await outbox.chunks(recording.id)).filter(isDue)) {
    onSending()
    await sendChunk(outbox, started, chunk, signal)
  }
  if (recording.text !== null) {
    onSending()
    await api.sendText(started, recording.text, `${recording.id}-text`)
    recording.text = null
    await outbox.save(recording)
  }
  if (!recording.isFinished) return false
  onSending()
  await finish(outbox, recording, started, signal)
  return true
}

/** A server that was restored from a backup can miss chunks that it had received; those that are still here are sent again. */
async function finish(
  outbox: Outbox,
  recording: Recording,
  by: api.Started,
  signal: AbortSignal,
): Promise<void> {
  const missing = await api.finishConversation(by, recording.sealed, recording.tags)
  if (missing.length === 0) return
  for (const chunk of await outbox.chunks(recording.id))
    if (missing.includes(chunk.seq)) await sendChunk(outbox, by, chunk, signal)
  await api.finishConversation(by, undefined, recording.tags)
}

async function sendChunk(
  outbox: Outbox,
  by: api.Started,
  chunk: ChunkState,
  signal: AbortSignal,
): Promise<void> {
  const audio = await outbox.audio(chunk)
  if (audio) await api.sendChunk(by, chunk.seq, audio, new Date(chunk.at), signal)
  await outbox.markSent(chunk)
}
