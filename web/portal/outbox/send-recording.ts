import {
  finishConversation,
  RequestRejected,
  readProject,
  type Started,
  sendChunk,
  sendText,
  startConversation,
  Unreachable,
  withdraw,
} from '../api.ts'
import { type ChunkState, isLost, lostLengthOf, type Outbox, type Recording } from './outbox.ts'

/** Why a chunk was not sent. */
export type Failures = Map<number, unknown>

interface SendProgress {
  onRequest(): void
  onReceived(): void
}

/** How a conversation ended. */
export interface End {
  /** The length of what the server has not received. */
  missingMs: number
  /** Whether some of that is on this device, so that it can be sent again or saved. */
  isKept: boolean
}

/** The browser has removed the audio of a chunk, or lost it with the memory of a page. */
const GONE = new Error('The device no longer has this audio.')

/** The responses of the server that are about the bytes of one chunk; the others concern the whole conversation. */
const ABOUT_ONE_CHUNK = new Set(['too_large', 'unsupported_media', 'invalid_input'])

/** An error response without a code of the server comes from a proxy, which can object to the bytes of one request. */
const isAboutOneChunk = (error: unknown): boolean =>
  error instanceof RequestRejected && (ABOUT_ONE_CHUNK.has(error.code) || error.code === 'unknown')

/**
 * Sends what the server does not have, in order: start, chunks, text, finish. A chunk counts as sent after the server's response, which
 * it gives when the bytes are on disk. Every request can be repeated safely. A chunk that cannot be sent is added to `failures`, and
 * left out while it is there: it neither holds up the others nor the end. Resolves with the end of the conversation, or null if it is
 * not finished, and rejects when a request fails.
 */
export async function sendRecording(
  outbox: Outbox,
  recording: Recording,
  failures: Failures,
  signal: AbortSignal,
  { onRequest, onReceived }: SendProgress,
): Promise<End | null> {
  const request = async <T>(work: Promise<T>): Promise<T> => {
    onRequest()
    const result = await work
    onReceived()
    return result
  }
  if (recording.started === null) {
    const { projectId, answers, id } = recording
    const started = await request(startConversation(projectId, answers, id))
    // The participant deleted the recording before the response came.
    if (signal.aborted) await withdraw(started)
    signal.throwIfAborted()
    recording.started = started
    await outbox.save(recording)
  }
  const by = recording.started
  const send = async (chunk: ChunkState): Promise<void> => {
    const failure = await request(trySend(outbox, by, chunk, signal))
    signal.throwIfAborted()
    if (failure) failures.set(chunk.seq, failure)
  }
  const isDue = ({ seq, isSent }: ChunkState) => !isSent && seq < recording.sealed && !failures.has(seq)
  for (const chunk of (await outbox.chunks(recording.id)).filter(isDue))
    if (isLost(chunk)) failures.set(chunk.seq, GONE)
    else await send(chunk)
  const { text, textKey } = recording
  if (recording.isFinished && text === null) await requireAny(outbox, recording, failures)
  // A text that is being changed is not sent before it is finished again.
  if (recording.isFinished && text !== null) {
    await request(sendText(by, text, textKey ?? `${recording.id}-text`))
    signal.throwIfAborted()
    if (recording.textKey === textKey) recording.text = null
    await outbox.save(recording)
  }
  if (!recording.isFinished) return null
  const end = await finish(outbox, recording, failures, send, (acceptsMissing) =>
    request(finishConversation(by, recording.sealed, recording.tags, acceptsMissing)),
  )
  signal.throwIfAborted()
  if (end.isKept) recording.missingMs = end.missingMs
  else delete recording.missingMs
  await outbox.save(recording)
  // More may have been recorded while the server responded.
  return recording.isFinished ? end : null
}

/**
 * The server does not find a conversation that was withdrawn, nor one of a project that was deleted. The page has to tell them apart:
 * a withdrawn recording is erased here, too, and the participants of a deleted project have not asked for that.
 */
export async function explainRejection(
  rejection: RequestRejected,
  { projectId, started }: Recording,
): Promise<unknown> {
  if (rejection.code !== 'not_found') return rejection
  const deleted = new RequestRejected(rejection.status, 'project_deleted')
  if (!started) return deleted
  try {
    await readProject(projectId)
    return rejection
  } catch (error) {
    return error instanceof RequestRejected ? deleted : error
  }
}

/** A recording of which the server has nothing is not finished: the participant is told why instead. */
async function requireAny(outbox: Outbox, recording: Recording, failures: Failures): Promise<void> {
  const reason = [...failures.values()].find((failure) => failure !== GONE)
  if (!reason || recording.missingMs !== undefined) return
  if (!(await outbox.chunks(recording.id)).some(({ isSent }) => isSent)) throw reason
}

/** Finishes the conversation, without chunks that cannot be sent. */
async function finish(
  outbox: Outbox,
  recording: Recording,
  failures: Failures,
  send: (chunk: ChunkState) => Promise<void>,
  requestFinish: (acceptsMissing: boolean) => Promise<number[]>,
): Promise<End> {
  const missing = await requestFinish(false)
  const chunks = new Map((await outbox.chunks(recording.id)).map((chunk) => [chunk.seq, chunk]))
  // A server that was restored from a backup can miss chunks that it had received; those that are still here are sent again.
  for (const seq of missing) {
    const chunk = chunks.get(seq)
    if (chunk && !failures.has(seq)) await send(chunk)
  }
  if (missing.length > 0) await requestFinish(true)
  const left = missing.filter((seq) => failures.has(seq) || !chunks.has(seq))
  const lengthOfUnknown = 1_000 * (recording.started?.chunk_seconds ?? 0)
  const received = [...chunks.values()].filter(({ seq }) => !left.includes(seq))
  return {
    missingMs: left.reduce(
      (sum, seq) => sum + (chunks.get(seq)?.durationMs ?? lengthOfUnknown),
      lostLengthOf(received),
    ),
    isKept: left.some((seq) => failures.has(seq) && failures.get(seq) !== GONE),
  }
}

/** Resolves with null if the server has the chunk, or with the reason why it cannot be sent. */
async function trySend(
  outbox: Outbox,
  by: Started,
  chunk: ChunkState,
  signal: AbortSignal,
): Promise<unknown> {
  try {
    const audio = await outbox.audio(chunk)
    if (!audio) return GONE
    await sendChunk(by, chunk.seq, audio, new Date(chunk.at), signal)
  } catch (error) {
    // The server has this chunk, with more audio: a part of it was in memory when the page was closed before the response came.
    const isReceived = error instanceof RequestRejected && error.code === 'chunk_conflict'
    const isOfChunk =
      isAboutOneChunk(error) || !(error instanceof RequestRejected || error instanceof Unreachable)
    if (isOfChunk) return error
    if (!isReceived) throw error
  }
  await outbox.markSent(chunk)
  return null
}
