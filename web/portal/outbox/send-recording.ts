import {
  finishConversation,
  Refusal,
  type Started,
  sendChunk,
  sendText,
  startConversation,
  Unreachable,
  withdraw,
} from '../api.ts'
import type { ChunkState, Outbox, Recording } from './outbox.ts'

interface SendProgress {
  onRequest(): void
  onReceived(): void
}

/** The server does not accept the bytes of a chunk, or the device does not give them. The others are sent all the same. */
const isOfOneChunk = (error: unknown): boolean =>
  error instanceof Refusal ? [413, 415, 422].includes(error.status) : !(error instanceof Unreachable)

/**
 * Sends what the server does not have, in order: start, chunks, text, finish. A chunk counts as sent after the server's answer, which
 * it gives when the bytes are on disk. Every request can be repeated safely. Resolves with whether the conversation is finished, or
 * rejects when a request fails.
 */
export async function sendRecording(
  outbox: Outbox,
  recording: Recording,
  signal: AbortSignal,
  { onRequest, onReceived }: SendProgress,
): Promise<boolean> {
  const request = async <T>(work: Promise<T>): Promise<T> => {
    onRequest()
    const result = await work
    onReceived()
    return result
  }
  if (recording.started === null) {
    const { projectId, answers, id } = recording
    const started = await request(startConversation(projectId, answers, id))
    // The participant deleted the recording before the answer came.
    if (signal.aborted) await withdraw(started)
    signal.throwIfAborted()
    recording.started = started
    await outbox.save(recording)
  }
  const by = recording.started
  const isDue = ({ seq, isSent }: ChunkState) => !isSent && seq < recording.sealed
  const failures: unknown[] = []
  for (const chunk of (await outbox.chunks(recording.id)).filter(isDue)) {
    try {
      await request(send(outbox, by, chunk, signal))
    } catch (error) {
      if (signal.aborted || !isOfOneChunk(error)) throw error
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
  const { text, textKey } = recording
  if (text !== null) {
    await request(sendText(by, text, textKey ?? `${recording.id}-text`))
    signal.throwIfAborted()
    if (recording.textKey === textKey) recording.text = null
    await outbox.save(recording)
  }
  if (!recording.isFinished) return false
  await request(finish(outbox, recording, by, signal))
  // More may have been recorded while the server answered.
  return recording.isFinished
}

/** A server that was restored from a backup can miss chunks that it had received; those that are still here are sent again. */
async function finish(outbox: Outbox, recording: Recording, by: Started, signal: AbortSignal): Promise<void> {
  const missing = new Set(await finishConversation(by, recording.sealed, recording.tags))
  if (missing.size === 0) return
  for (const chunk of await outbox.chunks(recording.id))
    if (missing.has(chunk.seq)) await send(outbox, by, chunk, signal)
  await finishConversation(by, undefined, recording.tags)
}

async function send(outbox: Outbox, by: Started, chunk: ChunkState, signal: AbortSignal): Promise<void> {
  const audio = await outbox.audio(chunk)
  try {
    if (audio) await sendChunk(by, chunk.seq, audio, new Date(chunk.at), signal)
  } catch (error) {
    // The server has this chunk, with more audio: a part of it was in memory when the page was closed before the answer came.
    if (!(error instanceof Refusal && error.code === 'chunk_conflict')) throw error
  }
  await outbox.markSent(chunk)
}
