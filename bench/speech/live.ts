import { join } from 'node:path'
import { SAMPLE_RATE } from '../../media/decode/limits.ts'
import { isReplaced, overlapStart, type Phrase } from '../../server/transcription/overlap.ts'
import type { EmbeddedTranscriber } from '../../speech/index.ts'
import type { PreRollFile } from '../../speech/types.ts'
import { type Recording, soundOf, writeWav } from './recordings.ts'

/**
 * A recording as it is heard while somebody speaks: in chunks that are files of their own, cut wherever the clock said so, each
 * heard with what ran into it, by the rules of the service.
 */
export async function heardLive(
  engine: EmbeddedTranscriber,
  recording: Recording,
  seconds: number,
  folder: string,
): Promise<string> {
  const sound = await soundOf(recording)
  let phrases: Phrase[] = []
  for (let from = 0; from < sound.length; from += seconds * SAMPLE_RATE) {
    const moment = (from / SAMPLE_RATE) * 1000
    const begin = overlapStart(moment, phrases.slice(-2), 0)
    const path = chunkOf(sound, from, from + seconds * SAMPLE_RATE, join(folder, 'chunk.wav'))
    const lead: PreRollFile[] =
      begin < moment
        ? [
            {
              path: chunkOf(sound, (begin / 1000) * SAMPLE_RATE, from, join(folder, 'lead.wav')),
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
      preRoll: lead,
      signal: new AbortController().signal,
    })
    const heard = segments.map(({ start, end, text }) => ({
      start: moment + start * 1000,
      end: moment + end * 1000,
      text,
    }))
    phrases = joinedTo(phrases, heard, begin, moment)
  }
  return phrases.map(({ text }) => text).join(' ')
}

function chunkOf(sound: Float32Array, from: number, to: number, path: string): string {
  writeWav(path, sound.slice(Math.round(from), Math.round(to)))
  return path
}

function joinedTo(phrases: Phrase[], heard: Phrase[], begin: number, moment: number): Phrase[] {
  const again = phrases.filter(({ start, end }) => start >= begin && end > begin)
  if (again.length > 0 && isReplaced(again, heard, moment))
    return [...phrases.slice(0, -again.length), ...heard]
  return [...phrases, ...heard.filter(({ end }) => again.length === 0 || end > moment)]
}
