import { join } from 'node:path'
import { SAMPLE_RATE } from '../../media/decode/limits.ts'
import { concatSamples } from '../../media/decode/resample.ts'
import type { Segment } from '../../speech/types.ts'
import { rounded } from '../deliveries/figures.ts'
import { type MeasuredEngine, wordsOf } from './engine.ts'
import { type Stretch, switchingRecordings } from './labelled.ts'
import { writeSound } from './recordings.ts'
import { spokenWords, wordErrors } from './word-errors.ts'

const PAUSE = 0.8

/** The languages that the project offers: all, or only English. */
const OFFERS = {
  detected: { expected: null, candidates: [] },
  only_english: { expected: 'en', candidates: ['en'] },
}

interface Timed extends Stretch {
  from: number
  to: number
}

/** Joined with pauses in one file, with the times of each stretch. */
async function joined(stretches: readonly Stretch[], path: string): Promise<Timed[]> {
  const pause = new Float32Array(PAUSE * SAMPLE_RATE)
  await writeSound(path, concatSamples(...stretches.flatMap(({ sound }) => [sound, pause])))
  let to = 0
  return stretches.map((stretch) => {
    const from = to
    to = from + stretch.sound.length / SAMPLE_RATE + PAUSE
    return { ...stretch, from, to }
  })
}

const isIn = ({ from, to }: Timed, { start, end }: Segment): boolean => {
  const middle = (start + end) / 2
  return middle >= from && middle < to
}

/** Whether most of the words of a stretch are in its language, and how many are wrong. */
function scoreOf(stretch: Timed, segments: readonly Segment[]) {
  const own = segments.filter((segment) => isIn(stretch, segment))
  const right = own.filter(({ language }) => language === stretch.language)
  const expected = spokenWords(stretch.text)
  return {
    language: stretch.language,
    isRight: wordsOf(right).length > wordsOf(own).length / 2,
    transcribed: own.map(({ language, confidence, text }) => `${language} ${confidence?.toFixed(2)} ${text}`),
    words: expected.length,
    errors: wordErrors(expected, wordsOf(own)),
  }
}

/** Recordings of people who speak different languages. */
export async function measureSwitches(engine: MeasuredEngine, folder: string) {
  const recordings = await switchingRecordings()
  const figures: Record<string, object> = {}
  for (const [offer, { expected, candidates }] of Object.entries(OFFERS)) {
    const scores: ReturnType<typeof scoreOf>[] = []
    for (const [index, stretches] of recordings.entries()) {
      const path = join(folder, `switch-${index}.wav`)
      const timed = await joined(stretches, path)
      const recording = { path, container: 'wav' as const, language: '', text: '', seconds: 0 }
      const segments = await engine.transcribe(recording, expected, candidates)
      const own = timed.map((stretch) => scoreOf(stretch, segments))
      console.error(offer, own)
      scores.push(...own)
    }
    const sum = (key: 'words' | 'errors'): number => scores.reduce((total, score) => total + score[key], 0)
    figures[offer] = {
      recordings: recordings.length,
      stretches: scores.length,
      in_their_language: scores.filter(({ isRight }) => isRight).length,
      word_error_percent: rounded((sum('errors') / sum('words')) * 100, 1),
    }
  }
  return figures
}
