import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { SAMPLE_RATE } from '../../media/decode/limits.ts'
import { concatSamples } from '../../media/decode/resample.ts'
import { createEmbeddedTranscriber } from '../../speech/index.ts'
import type { Segment } from '../../speech/types.ts'
import { rounded, saveFigures } from '../deliveries/figures.ts'
import { labelledRecordings, musicRecordings } from './labelled.ts'
import {
  type Recording,
  recordingOf,
  requestFor,
  samples,
  soundOf,
  withPinkNoise,
  writeSound,
} from './recordings.ts'
import { quietRecordings } from './variants.ts'
import { saidWords, spokenWords, wordErrors } from './word-errors.ts'

/** `node bench/speech/faithful.ts --model=base|small|auto --each=5`: what the engine gets wrong or invents; speed does not matter here. */
const { model, each, parts } = parseArgs({
  options: {
    model: { type: 'string', default: 'base' },
    each: { type: 'string', default: '5' },
    parts: {
      type: 'string',
      default: 'given_language,invented_words,language_switch,quiet_41_db,detected_language',
    },
  },
}).values
/** Recordings per language. */
const EACH = Number(each)
const engine = createEmbeddedTranscriber({ model: model as 'base', concurrency: 1 })
const folder = mkdtempSync(join(tmpdir(), 'parley-faithful-'))
/** Root mean square of a quiet meeting, in dB below full scale. */
const QUIET = -41
const THRESHOLDS = [0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7]

interface ScoredSegment {
  confidence: number
  words: number
  wrong: number
}

const scored: ScoredSegment[] = []

async function segmentsOf(recording: Recording, language: string | null, candidates: string[] = []) {
  return (await engine.transcribe({ ...requestFor(recording, language), candidates })).segments
}

const textOf = (segments: readonly Segment[]): string => segments.map(({ text }) => text).join(' ')

async function errorsIn(recordings: Recording[], language: (recording: Recording) => string | null) {
  let [errors, words] = [0, 0]
  for (const recording of recordings) {
    const segments = await segmentsOf(recording, language(recording))
    const expected = spokenWords(recording.text)
    errors += wordErrors(expected, spokenWords(textOf(segments)))
    words += expected.length
    noteConfidence(expected, segments)
  }
  return { word_error_percent: rounded((errors / words) * 100, 1), words, recordings: recordings.length }
}

async function byLanguageOf(recordings: Recording[], language: (recording: Recording) => string | null) {
  const figures: Record<string, object> = {}
  for (const [code, own] of Map.groupBy(recordings, (recording) => recording.language)) {
    figures[code] = await errorsIn(own, language)
    console.error(code, figures[code])
  }
  return figures
}

function noteConfidence(expected: readonly string[], segments: readonly Segment[]): void {
  const said = saidWords(expected, spokenWords(textOf(segments)))
  for (const { text, confidence = 0 } of segments) {
    const own = said.splice(0, spokenWords(text).length)
    scored.push({ confidence, words: own.length, wrong: own.filter((isSaid) => !isSaid).length })
  }
}

function confidenceFigures() {
  const wrongPercent = (part: readonly ScoredSegment[]): number => {
    const sum = (key: 'words' | 'wrong'): number => part.reduce((total, segment) => total + segment[key], 0)
    return rounded((sum('wrong') / Math.max(1, sum('words'))) * 100, 1)
  }
  return THRESHOLDS.map((threshold) => {
    const below = scored.filter(({ confidence }) => confidence < threshold)
    const above = scored.filter(({ confidence }) => confidence >= threshold)
    return {
      threshold,
      segments_below: below.length,
      segments: scored.length,
      wrong_words_percent_below: wrongPercent(below),
      wrong_words_percent_above: wrongPercent(above),
    }
  })
}

/** With the noise of the room, at the level of a distant microphone. */
async function quietVersion(recording: Recording, index: number): Promise<Recording> {
  const noisy = withPinkNoise(await soundOf(recording), 20)
  const level = Math.sqrt(noisy.reduce((sum, value) => sum + value * value, 0) / noisy.length)
  const path = join(folder, `quiet-${index}.wav`)
  await writeSound(
    path,
    noisy.map((value) => (value * 10 ** (QUIET / 20)) / level),
  )
  return { ...recording, path, container: 'wav' }
}

/** An English welcome, an answer in another language, and English again; only English is offered. */
async function languageFigures(answers: Recording[], welcome: Recording) {
  const english = (await soundOf(welcome)).slice(0, 6.2 * SAMPLE_RATE)
  const pause = new Float32Array(SAMPLE_RATE / 2)
  let [right, seconds] = [0, 0]
  for (const [index, answer] of answers.entries()) {
    const sound = (await soundOf(answer)).slice(0, 20 * SAMPLE_RATE)
    const path = join(folder, `switch-${index}.wav`)
    await writeSound(path, concatSamples(english, pause, sound, pause, english))
    const [from, to] = [6.7, 6.7 + sound.length / SAMPLE_RATE]
    for (const { start, end, language } of await segmentsOf({ ...answer, path, container: 'wav' }, 'en', [
      'en',
    ])) {
      const expected = start >= from - 0.5 && end <= to + 0.5 ? answer.language : 'en'
      seconds += end - start
      if (language === expected) right += end - start
    }
  }
  return {
    recordings: answers.length,
    seconds: rounded(seconds, 0),
    right_percent: rounded((right / seconds) * 100, 1),
  }
}

async function inventedWords(recordings: Recording[]): Promise<number> {
  let words = 0
  for (const recording of recordings)
    for (const language of ['en', 'nl', null])
      words += spokenWords(textOf(await segmentsOf(recording, language))).length
  return words
}

function peakMemory(): number {
  const status = readFileSync(`/proc/${engine.pids[0]}/status`, 'utf8')
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
}

try {
  const human = samples.filter(({ kind }) => kind === 'human').map(recordingOf)
  const byLanguage = Map.groupBy([...human, ...(await labelledRecordings())], ({ language }) => language)
  const all = [...byLanguage.values()].flatMap((recordings) => recordings.slice(0, EACH))
  const english = human.find(({ path }) => path.includes('en-asterisk')) as Recording
  const measures: Record<string, () => Promise<unknown>> = {
    given_language: () => byLanguageOf(all, (recording) => recording.language),
    invented_words: async () => ({
      silence_noise_tone: await inventedWords(await quietRecordings(folder)),
      music: await inventedWords(await musicRecordings()),
    }),
    language_switch: () =>
      languageFigures(
        all.filter(({ language }) => language !== 'en'),
        english,
      ),
    quiet_41_db: async () =>
      byLanguageOf(await Array.fromAsync(all, quietVersion), (recording) => recording.language),
    detected_language: () => byLanguageOf(all, () => null),
  }
  const figures: Record<string, unknown> = {}
  for (const part of parts.split(',')) {
    figures[part] = await measures[part]?.()
    console.error(part, figures[part])
  }
  await saveFigures(`speech-faithful-${model}`, {
    ...figures,
    confidence: confidenceFigures(),
    peak_memory_mib: peakMemory(),
  })
} finally {
  await engine.close()
  rmSync(folder, { recursive: true, force: true })
}
