import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { speaks } from '../../speech/whisper/languages.ts'
import { rounded, saveFigures } from '../deliveries/figures.ts'
import { createConfidenceScores } from './confidence.ts'
import { openEngine, wordsOf } from './engine.ts'
import { labelledRecordings, recordingsWithoutSpeech } from './labelled.ts'
import { atLevel, type Recording } from './recordings.ts'
import { measureSwitches } from './switches.ts'
import { soundsWithoutSpeech } from './variants.ts'
import { spokenWords, wordErrors } from './word-errors.ts'

/**
 * `npm run bench:speech -- --model=base|small --each=2`: word errors for each language, invented words, speed and memory of the embedded
 * engine. `--checkout=DIR --name=before` measures another version of the code with the same set.
 */
const { values } = parseArgs({
  options: {
    model: { type: 'string', default: 'base' },
    /** Recordings per language, about half a minute each. */
    each: { type: 'string', default: '2' },
    /** Of the set; default: all. */
    languages: { type: 'string', default: '' },
    checkout: { type: 'string', default: join(import.meta.dirname, '../..') },
    name: { type: 'string', default: '' },
    parts: { type: 'string', default: 'languages,quiet,detected,switches,unknown_language,without_speech' },
  },
})
const engine = await openEngine(values.checkout, values.model)
const folder = mkdtempSync(join(tmpdir(), 'parley-speech-bench-'))
/** Root mean square of a quiet meeting, in dB below full scale. */
const QUIET = -41
/** Segments with a lower confidence are marked as unclear. */
const UNCLEAR_BELOW = 0.55

const confidence = createConfidenceScores()

type Languages = Map<string, Recording[]>

async function measure(recordings: readonly Recording[], language: string | null) {
  let [errors, words, seconds, rightWords, allWords] = [0, 0, 0, 0, 0]
  let started: number | null = null
  let began = 0
  for (const recording of recordings) {
    // The first job starts the worker, and loading the models does not count.
    if (started === null) {
      started = await startedAt(recording, language)
      began = performance.now()
    }
    const segments = await engine.transcribe(recording, language)
    const expected = spokenWords(recording.text)
    errors += wordErrors(expected, wordsOf(segments))
    confidence.add(expected, segments)
    words += expected.length
    seconds += recording.seconds
    allWords += wordsOf(segments).length
    rightWords += wordsOf(segments.filter((segment) => segment.language === recording.language)).length
  }
  return {
    word_error_percent: rounded((errors / words) * 100, 1),
    words,
    seconds: rounded(seconds, 0),
    cpu_seconds_per_second: rounded((engine.cpuSeconds() - (started ?? 0)) / seconds, 2),
    real_time_factor: rounded((performance.now() - began) / 1000 / seconds, 2),
    words_in_its_language_percent: rounded((rightWords / Math.max(1, allWords)) * 100, 1),
  }
}

let isLoaded = false

async function startedAt(recording: Recording, language: string | null): Promise<number> {
  if (!isLoaded) for (const one of new Set([language, 'en', 'fr'])) await engine.transcribe(recording, one)
  isLoaded = true
  return engine.cpuSeconds()
}

async function byLanguage(languages: Languages, given: (code: string) => string | null, name: string) {
  const figures: Record<string, object> = {}
  for (const [code, recordings] of languages) {
    figures[code] = await measure(recordings, given(code))
    console.error(name, code, figures[code])
  }
  return figures
}

/** The first recording of each language, at a normal and at a low level. */
async function measureQuiet(languages: Languages) {
  const first = [...languages].map(([code, [recording]]): [string, Recording[]] => [
    code,
    recording ? [recording] : [],
  ])
  const quiet = await Array.fromAsync(
    first,
    async ([code, recordings]): Promise<[string, Recording[]]> => [
      code,
      await Array.fromAsync(recordings, (recording) =>
        atLevel(recording, QUIET, join(folder, `quiet-${code}.wav`)),
      ),
    ],
  )
  return {
    normal: await byLanguage(new Map(first), (code) => code, 'normal'),
    quiet: await byLanguage(new Map(quiet), (code) => code, 'quiet'),
  }
}

/** Words in a language that the engine does not know, by whether they are presented as understood. */
async function measureUnknownLanguage(recordings: readonly Recording[]) {
  const figures = { spoken: 0, transcribed: 0, not_marked_as_unclear: 0 }
  for (const recording of recordings)
    for (const language of ['en', null]) {
      const segments = await engine.transcribe(recording, language, language ? [language] : [])
      const clear = segments.filter(({ confidence = 1 }) => confidence >= UNCLEAR_BELOW)
      figures.spoken += spokenWords(recording.text).length
      figures.transcribed += wordsOf(segments).length
      figures.not_marked_as_unclear += wordsOf(clear).length
    }
  return figures
}

async function countInvented() {
  const figures: Record<string, number> = {}
  for (const [kind, recordings] of [
    ...(await soundsWithoutSpeech(folder)),
    ...(await recordingsWithoutSpeech()),
  ]) {
    figures[kind] = 0
    for (const recording of recordings)
      for (const language of ['en', 'nl', null])
        figures[kind] += wordsOf(await engine.transcribe(recording, language)).length
  }
  return figures
}

try {
  const all = await labelledRecordings(Number(values.each))
  const only = values.languages.split(',').filter((code) => code !== '')
  const isMeasured = (code: string): boolean => only.length === 0 || only.includes(code)
  const known = new Map([...all].filter(([code]) => speaks(code) && isMeasured(code)))
  const unknown = [...all].filter(([code]) => !speaks(code)).flatMap(([, recordings]) => recordings)
  const measures: Record<string, () => Promise<object>> = {
    languages: () => byLanguage(known, (code) => code, 'given'),
    quiet: () => measureQuiet(known),
    detected: () => byLanguage(known, () => null, 'detected'),
    switches: () => measureSwitches(engine, folder),
    unknown_language: () => measureUnknownLanguage(unknown),
    without_speech: countInvented,
  }
  const figures: Record<string, unknown> = {}
  const name = ['speech', values.model, values.name].filter((word) => word !== '').join('-')
  for (const part of values.parts.split(',')) {
    figures[part] = await measures[part]?.()
    // After each part, since the whole takes half an hour.
    const memory = engine.peakMemoryMib()
    await saveFigures(name, { ...figures, confidence: confidence.figures(), peak_memory_mib: memory })
  }
} finally {
  await engine.close()
  rmSync(folder, { recursive: true, force: true })
}
