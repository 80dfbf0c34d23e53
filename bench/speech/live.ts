import { join } from 'node:path'
import { SAMPLE_RATE } from '../../media/decode/limits.ts'
import { isReplaced, overlapStart, type Phrase } from '../../server/transcription/overlap.ts'
import type { EmbeddedTranscriber } from '../../speech/index.ts'
import type { PreRollFile } from '../../speech/types.ts'
import { type Recording, soundOf, writeWav } from './recordings.ts'

/**
 * Transcribes a recording as the service does while it is recorded: in chunks of a fixed length, each a file of its own, with an
 * overlap by the rules of the service.
 */
export async function transcribeLive(
  engine: EmbeddedTranscriber,
  recording: Recording,
  seconds: number,
  folder: string,
): Promise<string> {
  const sound = await soundOf(recording)
  let phrases: Phrase[] = []
  for (let from = 0; from < sound.length; from += seconds * SAMPLE_RATE) {
    const transcribedTo = (from / SAMPLE_RATE) * 1000
    const begin = overlapStart(transcribedTo, phrases.slice(-2), 0)
    const path = chunkOf(sound, from, from + seconds * SAMPLE_RATE, join(folder, 'chunk.wav'))
    const preRoll: PreRollFile[] =
      begin < transcribedTo
        ? [
            {
              path: chunkOf(sound, (begin / 1000) * SAMPLE_RATE, from, join(folder, 'pre-roll.wav')),
              container: 'wav',
              from: 0,
            },
          ]
        : []
    const { segments } = await engine.transcribe({
      path,
      container: 'wav',
      language: recording.language,
      hotwords: [],
      from: 0,
      preRoll,
      signal: new AbortController().signal,
    })
    const transcribed = segments.map(({ start, end, text }) => ({
      start: transcribedTo + start * 1000,
      end: transcribedTo + end * 1000,
      text,
    }))
    phrases = joinedTo(phrases, transcribed, begin, transcribedTo)
  }
  return phrases.map(({ text }) => text).join(' ')
}

function chunkOf(sound: Float32Array, from: number, to: number, path: string): string {
  writeWav(path, sound.slice(Math.round(from), Math.round(to)))
  return path
}

function joinedTo(phrases: Phrase[], transcribed: Phrase[], begin: number, transcribedTo: number): Phrase[] {
  const again = phrases.filter(({ start, end }) => start >= begin && end > begin)
  if (again.length > 0 && isReplaced(again, transcribed, transcribedTo))
    return [...phrases.slice(0, -again.length), ...transcribed]
  return [...phrases, ...transcribed.filter(({ end }) => again.length === 0 || end > transcribedTo)]
}
