import { join } from 'node:path'
import { SAMPLE_RATE } from '../../media/decode/limits.ts'
import { CONTEXT_MS } from '../../server/transcription/find-overlap.ts'
import { joinOverlap, overlapStart, type Phrase } from '../../server/transcription/overlap.ts'
import type { EmbeddedTranscriber } from '../../speech/index.ts'
import type { Transcription } from '../../speech/types.ts'
import { type Recording, requestFor, soundOf, writeSound } from './recordings.ts'

interface LiveOptions {
  /** The length of a chunk. */
  seconds: number
  folder: string
  /** Whether the engine forgets the conversation after each chunk, as after a restart. */
  isForgetful?: boolean
}

let conversations = 0

/** Transcribes a recording in chunks of a fixed length, each in a separate file, as the service does. */
export async function transcribeLive(
  engine: EmbeddedTranscriber,
  recording: Recording,
  { seconds, folder, isForgetful = false }: LiveOptions,
): Promise<Phrase[]> {
  const sound = await soundOf(recording)
  const conversation = `bench ${conversations++}`
  const chunkOf = async (name: string, from: number, to: number) => {
    const path = join(folder, name)
    await writeSound(path, sound.slice(Math.round(from), Math.round(to)))
    return { path, container: 'wav' as const }
  }
  let phrases: Phrase[] = []
  let finishedTo: number | null = null
  const length = seconds * SAMPLE_RATE
  for (let from = 0; from < sound.length; from += length) {
    const transcribedTo = (from / SAMPLE_RATE) * 1000
    const begin: number = overlapStart(transcribedTo, phrases.slice(-50), 0, finishedTo)
    const chunk = await chunkOf('chunk.wav', from, from + length)
    const request = requestFor(chunk, recording.language)
    const position = String(from)
    const live = { conversation, position, after: from > 0 ? String(from - length) : null }
    const resumed: Transcription | null = isForgetful
      ? null
      : await engine.resume({ ...request, live, isContinued: false, from: (begin - transcribedTo) / 1000 })
    const transcribe = async (): Promise<Transcription> => {
      const context = Math.max(0, begin - CONTEXT_MS)
      const before = { ...(await chunkOf('pre-roll.wav', 0, from)), from: context / 1000 }
      const finishedTo = (begin - transcribedTo) / 1000
      return engine.transcribe({ ...request, live, finishedTo, preRoll: from > 0 ? [before] : [] })
    }
    const transcription = resumed ?? (await transcribe())
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
