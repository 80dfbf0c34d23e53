import { join } from 'node:path'
import { decodeAudio } from '../../../../media/decode/decode.ts'
import { findFfmpeg } from '../../../../media/decode/find-ffmpeg.ts'
import { DECODE_LIMITS, SAMPLE_RATE } from '../../../../media/decode/limits.ts'
import type { AudioPart } from '../../../../media/split/audio-part.ts'
import { samplesWithin, writeWav } from '../../../../media/split/wav.ts'
import { createTempDirectory } from '../../../../platform/temp-directory.ts'
import { uploadsOf, type VoiceSpan } from './silence.ts'

/** A file with the stretches of a part that it consists of, in seconds of the part; null: the file is the whole part. */
export interface SpeechUpload {
  file: Pick<AudioPart, 'path' | 'container'>
  seconds: number
  stretches: VoiceSpan[] | null
}

interface Options {
  maxBytes: number
  signal: AbortSignal
}

/** The files to upload for a part in which people speak: the part as it is, or WAV files without its long silences. */
export async function* speechUploads(
  part: AudioPart,
  spoken: readonly VoiceSpan[] | null,
  { maxBytes, signal }: Options,
): AsyncGenerator<SpeechUpload> {
  const seconds = part.end - part.start
  const uploads = spoken && uploadsOf(spoken, seconds, samplesWithin(maxBytes) / SAMPLE_RATE)
  if (uploads === null || !isCut(uploads, seconds)) return yield { file: part, seconds, stretches: null }
  await using temp = await createTempDirectory()
  const file = { path: join(temp.path, 'speech.wav'), container: 'wav' as const }
  const samples = decodeAudio({ ...part, ffmpeg: findFfmpeg(), limits: DECODE_LIMITS, signal, skip: 0 })
  const reader = { samples, rest: new Float32Array(0), at: 0 }
  try {
    for (const stretches of uploads) {
      const kept: Int16Array[] = []
      for (const { start, end } of stretches) kept.push(await read(reader, start, end))
      const length = kept.reduce((sum, one) => sum + one.length, 0)
      await writeWav(file.path, joined(kept, length), SAMPLE_RATE)
      yield { file, seconds: length / SAMPLE_RATE, stretches }
    }
  } finally {
    // Ends the decoder process, which otherwise waits until the silence at the end is read.
    await samples.return(undefined)
  }
}

const isCut = (uploads: readonly VoiceSpan[][], seconds: number): boolean =>
  uploads.length !== 1 ||
  uploads[0]?.length !== 1 ||
  (uploads[0][0]?.start ?? 0) > 0 ||
  (uploads[0][0]?.end ?? seconds) < seconds

interface Reader {
  samples: AsyncGenerator<Float32Array>
  rest: Float32Array
  /** The number of the first sample of `rest`. */
  at: number
}

/** The samples from one second to another, which is not before that of the previous call. */
async function read(reader: Reader, start: number, end: number): Promise<Int16Array> {
  const [first, last] = [Math.round(start * SAMPLE_RATE), Math.round(end * SAMPLE_RATE)]
  const found = new Int16Array(Math.max(0, last - first))
  while (true) {
    const { rest, at } = reader
    const overlap = rest.subarray(Math.max(0, first - at), Math.max(0, last - at))
    const offset = Math.max(0, at - first)
    for (const [index, sample] of overlap.entries())
      found[offset + index] = Math.round(Math.max(-1, Math.min(1, sample)) * 0x7fff)
    if (last <= at + rest.length) return found
    const { value, done } = await reader.samples.next()
    // The end of the file can lie a little before the end that its header states.
    if (done) return found.subarray(0, Math.max(0, at + rest.length - first))
    reader.at += rest.length
    reader.rest = value
  }
}

function joined(parts: readonly Int16Array[], length: number): Int16Array {
  const whole = new Int16Array(length)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
