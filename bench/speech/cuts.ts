import { Readable } from 'node:stream'
import { parseArgs } from 'node:util'
import { SAMPLE_RATE } from '../../media/decode/limits.ts'
import { Recogniser } from '../../speech/recognise.ts'
import { SpeechStream } from '../../speech/speech-stream.ts'
import { setup } from '../../speech/testing/setup.ts'
import { type Segment, UNCLEAR_BELOW, UNCONFIRMED_WORD } from '../../speech/types.ts'
import { saveFigures } from '../deliveries/figures.ts'
import { wordsOf } from './engine.ts'
import { labelledRecordings } from './labelled.ts'
import { type Recording, recordingOf, samples, soundOf } from './recordings.ts'
import { saidWords, spokenWords, wordErrors } from './word-errors.ts'

/**
 * `node bench/speech/cuts.ts [--recordings=en-asterisk-5,nl] [--step=0.5] [--kinds=finished,live] [--details]`: invented words where a
 * recording ends within speech. Each recording is cut again and again, and transcribed as finished and as live audio. A name is a sample,
 * or a language of the labelled set (its first recording).
 */
const { values } = parseArgs({
  options: {
    recordings: { type: 'string', default: 'en-librivox-1,en-asterisk-1,en-asterisk-5,nl,de' },
    /** Seconds between two cuts. */
    step: { type: 'string', default: '0.5' },
    kinds: { type: 'string', default: 'finished,live' },
    /** No cut is later than this. */
    seconds: { type: 'string', default: '30' },
    name: { type: 'string', default: '' },
    details: { type: 'boolean', default: false },
  },
})

async function transcribe(sound: Float32Array, language: string, isLive: boolean): Promise<Segment[]> {
  const recogniser = new Recogniser({
    ...setup,
    usesMoonshine: true,
    expected: language,
    candidates: [language],
    hotwords: [],
  })
  const createDetector = await setup.models.silero()
  const stream = new SpeechStream(createDetector(), recogniser, { from: 0, warmUp: 0 })
  const blocks = Readable.from([sound])
  const { segments } = isLive ? await stream.transcribeSoFar(blocks) : await stream.transcribeAll(blocks)
  return segments
}

/** For each word whether it was said, if the audio can end anywhere in the text. The beginning of a word counts as the word. */
function saidBefore(text: readonly string[], words: readonly string[]): boolean[] {
  const lengths = Array.from(text, (_, index) => index + 1)
  const errors = lengths.map((length) => wordErrors(text.slice(0, length), words))
  const spoken = text.slice(0, errors.indexOf(Math.min(...errors)) + 1)
  const said = saidWords(spoken, words)
  const last = words.at(-1)
  const next = text.slice(spoken.length - 1, spoken.length + 1)
  if (last !== undefined && next.some((word) => word.startsWith(last))) said[words.length - 1] = true
  return said
}

/** Words that can be wrong because the audio ends. Those before them can be wrong for other reasons. */
const ENDING = 4
/** Seconds between the last word and the end of the audio, at most, if it ends within speech. */
const MAX_SILENCE = 0.1

interface Cut {
  /** Words at the end that were not said, if the audio ends within speech. */
  invented: string[]
  /** Other words that were not said. */
  wrong: number
  /** Words that were said and are not marked. */
  right: number
  isWithinSpeech: boolean
  isMarked: boolean
}

function judge(segments: readonly Segment[], texts: readonly string[][], seconds: number): Cut {
  const words = wordsOf(segments)
  const said = texts.map((text) => saidBefore(text, words))
  const isSaid = words.map((_, at) => said.some((one) => one[at]))
  const isClear = segments.flatMap((segment) =>
    wordsOf([segment]).map(() => (segment.confidence ?? 1) >= UNCLEAR_BELOW),
  )
  const isWithinSpeech = seconds - (segments.at(-1)?.end ?? 0) < MAX_SILENCE
  const isEnding = (at: number): boolean => isWithinSpeech && at >= words.length - ENDING
  return {
    invented: words.filter((_, at) => isClear[at] && !isSaid[at] && isEnding(at)),
    wrong: words.filter((_, at) => isClear[at] && !isSaid[at] && !isEnding(at)).length,
    right: words.filter((_, at) => isClear[at] && isSaid[at]).length,
    isWithinSpeech,
    isMarked: isClear.includes(false) || segments.some(({ text }) => text.includes(UNCONFIRMED_WORD)),
  }
}

async function recordingNamed(name: string): Promise<Recording> {
  const sample = samples.find(({ file }) => file === `${name}.flac`)
  if (sample) return recordingOf(sample)
  const [recording] = (await labelledRecordings(1)).get(name) ?? []
  if (!recording) throw new Error(`There is no recording ${name}.`)
  return recording
}

const sumOf = (cuts: readonly Cut[], count: (cut: Cut) => number): number =>
  cuts.reduce((sum, cut) => sum + count(cut), 0)

const total = (cuts: readonly Cut[]) => ({
  cuts: cuts.length,
  within_speech: sumOf(cuts, ({ isWithinSpeech }) => Number(isWithinSpeech)),
  with_invented_words: sumOf(cuts, ({ invented }) => Number(invented.length > 0)),
  invented_words: sumOf(cuts, ({ invented }) => invented.length),
  other_wrong_words: sumOf(cuts, ({ wrong }) => wrong),
  right_words: sumOf(cuts, ({ right }) => right),
  marked: sumOf(cuts, ({ isMarked }) => Number(isMarked)),
})

const figures: Record<string, Record<string, object>> = {}
for (const name of values.recordings.split(',')) {
  const recording = await recordingNamed(name)
  const sound = await soundOf(recording)
  const whole = await transcribe(sound, recording.language, false)
  const texts = [spokenWords(recording.text), wordsOf(whole)]
  const end = Math.min(sound.length / SAMPLE_RATE, Number(values.seconds))
  const own: Record<string, object> = {}
  figures[name] = own
  for (const kind of values.kinds.split(',')) {
    const cuts: Cut[] = []
    const step = Number(values.step)
    for (let to = 2 * step; to < end; to += step) {
      const part = sound.slice(0, to * SAMPLE_RATE)
      const segments = await transcribe(part, recording.language, kind === 'live')
      const cut = judge(segments, texts, to)
      cuts.push(cut)
      if (values.details && cut.invented.length > 0)
        console.error(name, kind, to, cut.invented.join(' '), '|', detailsOf(segments))
    }
    own[kind] = total(cuts)
    console.error(name, kind, JSON.stringify(own[kind]))
  }
}
await saveFigures(['speech-cuts', values.name].filter(Boolean).join('-'), figures)

/** The last words with their confidence. */
function detailsOf(segments: readonly Segment[]): string {
  const last = segments.at(-1)
  const words = last?.words?.slice(-8).map(({ text, confidence }) => `${text} ${confidence.toFixed(2)}`)
  return `${last?.confidence?.toFixed(2)}: ${words?.join(' ')}`
}
