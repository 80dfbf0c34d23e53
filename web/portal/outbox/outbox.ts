import type { Answers, Started } from '../api.ts'

/** A recording on this device, until the server has received all of it. */
export interface Recording {
  /** Random; also the idempotency key of the start. */
  id: string
  projectId: string
  answers: Answers
  /** Null until the server has started the conversation. */
  started: Started | null
  startedAt: number
  /** The chunks below this number are complete. */
  sealed: number
  /** Whether the participant has said that it is complete. */
  isFinished: boolean
  /** Text that was typed and has not been received. */
  text: string | null
  /** The idempotency key of the text: a text that was changed after a failed attempt is another request. */
  textKey?: string
  /** Text typed so far. It must not be sent yet. */
  draft?: string
  /** The tags that were chosen after the start; they replace those of the answers at the end. */
  tags?: string[]
  /** How much the server has not received, in milliseconds, although the conversation is finished. */
  missingMs?: number
}

/** 128 bits. `crypto.randomUUID` is missing on pages without https, where one can still type. */
export const randomId = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

export const newRecording = (projectId: string, answers: Answers): Recording => ({
  id: randomId(),
  projectId,
  // A copy: a repeated start has to be the same request, whatever the participant has changed since.
  answers: structuredClone(answers),
  started: null,
  startedAt: Date.now(),
  sealed: 0,
  isFinished: false,
  text: null,
})

/** Half a second of audio, or more if the device saves slowly. Pieces of one chunk are joined when the chunk is sent. */
export interface Piece {
  recordingId: string
  /** The chunk to which it belongs. */
  seq: number
  bytes: ArrayBuffer
  type: string
  /** When it began, in milliseconds since 1970. */
  at: number
  durationMs: number
}

/** The state of a chunk, without its audio. */
export interface ChunkState {
  recordingId: string
  seq: number
  type: string
  at: number
  durationMs: number
  isSent: boolean
  /** Whether its first piece begins a file, which the recorder starts after each interruption. */
  beginsFile: boolean
  /** How much of it the device has lost before it was sent, in milliseconds, as when the data of the site was deleted. */
  lostMs?: number
}

/** Whether nothing of a chunk is left that could be sent. */
export const isLost = ({ durationMs, lostMs = 0 }: ChunkState): boolean => lostMs > 0 && lostMs >= durationMs

export const lengthOf = (chunks: ChunkState[]): number =>
  chunks.reduce((sum, { durationMs }) => sum + durationMs, 0)

export const lostLengthOf = (chunks: ChunkState[]): number =>
  chunks.reduce((sum, { lostMs = 0 }) => sum + lostMs, 0)

/**
 * Keeps recordings until the server has them. A piece is stored before anything else happens with it. Audio that was sent stays for
 * listening until the recording is removed, or the device is short of storage.
 */
export interface Outbox {
  /** Whether it survives a reload of the page. */
  readonly isDurable: boolean
  recordings(): Promise<Recording[]>
  save(recording: Recording): Promise<void>
  addPiece(piece: Piece, beginsFile: boolean): Promise<void>
  /** In order. */
  chunks(recordingId: string): Promise<ChunkState[]>
  /** Null if it was removed. */
  audio(chunk: ChunkState): Promise<Blob | null>
  markSent(chunk: ChunkState): Promise<void>
  /** Removes the audio of chunks that were sent, to make room. Resolves with whether there was any. */
  removeSentAudio(): Promise<boolean>
  remove(recordingId: string): Promise<void>
  /** Calls the listener when the browser has closed the storage, which it does when it deletes the data of the site. */
  onClosed(listener: () => void): () => void
}
