import { createReadStream } from 'node:fs'
import { BufferSource, FilePathSource, type Source } from 'mediabunny'

/** The path of a file, or its bytes. */
export type AudioBytes = string | Uint8Array

export const sourceOf = (audio: AudioBytes): Source =>
  typeof audio === 'string' ? new FilePathSource(audio) : new BufferSource(audio)

/** The bytes from the beginning, in blocks. */
export function streamOf(audio: AudioBytes, highWaterMark = 2 ** 17): AsyncIterable<Buffer> {
  return typeof audio === 'string' ? createReadStream(audio, { highWaterMark }) : blockOf(audio)
}

async function* blockOf(bytes: Uint8Array): AsyncGenerator<Buffer> {
  yield Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
