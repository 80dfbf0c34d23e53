import { join } from 'node:path'
import { SAMPLE_RATE } from '../../media/decode/limits.ts'
import { joinOverlap, overlapStart, type Phrase } from '../../server/transcription/overlap.ts'
import type { EmbeddedTranscriber } from '../../speech/index.ts'
import { type Recording, requestFor, soundOf, writeSound } from './recordings.ts'

/** Transcribes a recording in chunks of a fixed length, each in a separate file, with the overlap that the service uses. */
export async function transcribeLive(
  engine: EmbeddedTranscriber,
  recording: Recording,
  seconds: number,
  folder: string,
): Promise<Phrase[]> {
  const sound = await soundOf(recording)
  const chunkOf = async (name: string, from: number, to: number) => {
    const path = join(folder, name)
    await writeSound(path, sound.slice(Math.round(from), Math.round(to)))
    return { path, container: 'wav' as const }
  }
  let phrases: Phrase[] = []
  let finishedTo: number | null = null
  for (let from = 0; from < sound.length; from += seconds * SAMPLE_RATE) {
    const transcribedTo = (from / SAMPLE_RATE) * 1000
    const begin: number = overlapStart(transcribedTo, phrases.slice(-2), 0, finishedTo)
    const chunk = await chunkOf('chunk.wav', from, from + seconds * SAMPLE_RATE)
    const before = await chunkOf('pre-roll.wav', 0, from)
    const preRoll = begin < transcribedTo ? [{ ...before, from: begin / 1000 }] : []
    const transcription = await engine.transcribe({ ...requestFor(chunk, recording.language), preRoll })
    finishedTo = transcribedTo + (transcription.finishedTo ?? 0) * 1000
    const transcribed = transcription.segments.map(({ start, end, text }) => ({
      start: transcribedTo + start * 1000,
      end: transcribedTo + end * 1000,
      text,
    }))
    const earlier = phrases.filter(({ start, end }) => start >= begin && end > begin)
    const { replaced, added } = joinOverlap(earlier, transcribed)
    phrases = [...phrases.filter((phrase) => !replaced.includes(phrase)), ...added]
  }
  return phrases
}
