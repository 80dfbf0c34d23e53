import { SAMPLE_RATE } from '../media/decode/limits.ts'
import { type Reading, UNLIKELY_SPEECH } from './language/compare-texts.ts'
import {
  confirmEnglish,
  isEnglishAlone,
  isLoneWord,
  isSpoken,
  switchIfBetter,
  UNLIKELY_ENGLISH,
  unclear,
} from './language/confirm-language.ts'
import { LanguageBelief, type LanguageScores, probabilityIn } from './language/language-belief.ts'
import { asUnclear, isDoubtful, type Recognition } from './models/confidence.ts'
import type { Models } from './models/models.ts'
import type { EnglishRecognition } from './models/moonshine.ts'
import type { Tensor } from './models/runtime.ts'
import { timeWords } from './sentences/time-words.ts'
import { withConfirmedSlurs } from './slurs/slurs.ts'
import type { Segment, Word } from './types.ts'
import { CLEAR_IN_CLIPPED, isWithin, type Timed, unclearGaps, withMarks } from './unclear-speech.ts'
import type { SpeechSegment } from './vad/find-speech.ts'
import { canonicalCode } from './whisper/languages.ts'
import { type Pack, packed, packOf } from './whisper/pack.ts'

/** The segments of one window, and how many seconds of audio it shares with the one before. */
export interface TranscribedWindow {
  segments: Segment[]
  overlap: number
}

interface RecogniserOptions {
  models: Pick<Models, 'whisper' | 'moonshine'>
  /** Whether Moonshine transcribes English. */
  usesMoonshine: boolean
  /** The language that is probably spoken; null: unknown. */
  expected: string | null
  /** The language of the speech just before; null: unknown. It is believed like a detected language. */
  spokenBefore?: string | null
  candidates: readonly string[]
  hotwords: readonly string[]
  /** Whether the speech is transcribed again later. Truncated English is less clear, and examining its language costs a run of Whisper. */
  isUnfinished?: boolean
  /** Called after each run of a model: a window with several languages takes many. */
  onStep(): void
}

/** At least this confident, Moonshine's text is English: 33 of 33 English segments were, and 1 of 118 in other languages. */
const CLEARLY_ENGLISH = 0.7
/** A segment of which a window's rough estimate gives the current language less than this is examined separately. */
const PLAUSIBLE = 0.2
/** Seconds with padding. Detection is wrong for most shorter segments, and each would cost a run of the encoder. */
const SHORTEST_EXAMINED = 1.3
/** Seconds. The language of unfinished speech is examined from here on: a speaker who changed it would be unclear until the next pause. */
const SHORTEST_UNFINISHED = 4
/** Per window after the first: single words in Portuguese, all examined, took five times as long as the transcription. */
const MAX_EXAMINED = 3
/** Audio around a phrase that is recognised again. */
const MARGIN = 0.2

/**
 * Turns speech into text, and follows the language from stretch to stretch. Detection is cheap where the language stays the same: for
 * English, Moonshine's confidence shows it; for others, parts of the window that Whisper transcribes anyway are looked at.
 */
export class Recogniser {
  private readonly options: RecogniserOptions
  private readonly belief: LanguageBelief
  /** Whether the last finished stretch was probably not English, although no other language explained it. */
  private wasUnlikelyEnglish = false
  /** Examined segments that do not sound like the language in which they are transcribed. */
  private readonly undetected = new WeakSet<SpeechSegment>()

  constructor(options: RecogniserOptions) {
    this.options = options
    const { expected, spokenBefore = null, candidates } = options
    this.belief = new LanguageBelief(
      expected === null ? null : canonicalCode(expected),
      candidates.map(canonicalCode),
    )
    if (spokenBefore === null) return
    this.belief.switchTo(canonicalCode(spokenBefore))
    this.belief.confirm(canonicalCode(spokenBefore))
  }

  /** A copy for speech that is transcribed again later: what it shows about the language is not remembered. */
  forUnfinished(): Recogniser {
    const copy = new Recogniser({ ...this.options, isUnfinished: true })
    copy.belief.copyFrom(this.belief)
    copy.wasUnlikelyEnglish = this.wasUnlikelyEnglish
    return copy
  }

  async *windows(speech: AsyncIterable<SpeechSegment>): AsyncGenerator<TranscribedWindow> {
    for await (const pack of packed(speech)) {
      if (this.isEnglish()) {
        yield* this.bySegment(pack.segments)
        continue
      }
      const audio = await this.encode(pack.samples)
      const isFirst = this.belief.current === null
      if (isFirst) await this.detect(audio, pack.samples)
      // A change of language within the first window can hide the language before it, so all doubtful segments of it are examined.
      const max = isFirst ? pack.segments.length : MAX_EXAMINED
      const doubtful = this.isEnglish() ? pack.segments : await this.findDoubtful(pack, audio, max)
      if (doubtful.length > 0) yield* this.bySegment(pack.segments, doubtful, audio)
      else yield await this.byWhisper(pack.segments, this.language(), audio)
    }
  }

  /** The segments that are perhaps not in the current language, and clearly in another one. */
  private async findDoubtful(pack: Pack, audio: Tensor, max: number): Promise<SpeechSegment[]> {
    const whisper = await this.options.models.whisper()
    const doubtful: { segment: SpeechSegment; clarity: number }[] = []
    for (const segment of pack.segments) {
      if (segment.samples.length < SHORTEST_EXAMINED * SAMPLE_RATE) continue
      const scores = await whisper.languageScores(audio, pack.partOf(segment))
      if (probabilityIn(scores, this.belief.current) >= PLAUSIBLE) continue
      doubtful.push({ segment, clarity: Math.max(...scores.map(([, probability]) => probability)) })
    }
    const clearest = doubtful.toSorted((one, other) => other.clarity - one.clarity)
    return clearest.slice(0, max).map(({ segment }) => segment)
  }

  /** Detects the language of each segment. Neighbours in the same language share a window. */
  private async *bySegment(
    segments: readonly SpeechSegment[],
    doubtful = segments,
    encoded?: Tensor,
  ): AsyncGenerator<TranscribedWindow> {
    const before = this.belief.current
    let together: SpeechSegment[] = []
    let language = this.language()
    for (const segment of segments) {
      const isClear = this.belief.current === before && !doubtful.includes(segment)
      const english = isClear ? null : await this.recogniseIfEnglish(segment)
      const next = this.language()
      if (together.length > 0 && (english !== null || next !== language)) {
        yield await this.byWhisper(together, language)
        together = []
      }
      language = next
      if (english !== null) yield english
      else together.push(segment)
    }
    // All in one language: the window is encoded already.
    const reusable = together.length === segments.length ? encoded : undefined
    if (together.length > 0) yield await this.byWhisper(together, language, reusable)
  }

  /** Null if the segment is for Whisper. */
  private async recogniseIfEnglish(segment: SpeechSegment): Promise<TranscribedWindow | null> {
    let encoded: Promise<Tensor> | undefined
    const encode = (): Promise<Tensor> => {
      encoded ??= this.encode(segment.samples)
      return encoded
    }
    const read = async (language: string): Promise<Reading> =>
      this.read(await encode(), segment.samples, language)
    const recognise = async (): Promise<Recognition> => {
      const recognition = await (await this.options.models.moonshine())(segment.samples, segment.cutOff)
      this.options.onStep()
      return this.withConfirmedEnding(recognition, async () => (await read('en')).text)
    }
    let english = this.isEnglish() ? await recognise() : null
    // The end of unfinished speech is often cut within a word, which sounds like any language.
    if (english !== null && this.options.isUnfinished) {
      const enough = this.wasUnlikelyEnglish ? CLEARLY_ENGLISH : UNLIKELY_ENGLISH
      if (english.confidence >= enough) return this.byMoonshine(segment, english)
      if (secondsOf(segment) < SHORTEST_UNFINISHED) return this.byMoonshine(segment, unclear(english))
    }
    if (english === null || english.confidence < CLEARLY_ENGLISH) {
      const isUnlikely = english !== null && english.confidence < UNLIKELY_ENGLISH
      const believed = this.belief.copy()
      const before = believed.current
      const scores = await this.detect(await encode(), segment.samples, isUnlikely)
      if (before !== null && !(await isSpoken(this.belief, scores, read, before)))
        this.belief.copyFrom(believed)
      if (!this.isEnglish() && this.belief.current === before)
        await switchIfBetter(this.belief, await read(this.language()), scores, read)
      if (!this.isEnglish()) {
        if (probabilityIn(scores, this.belief.current) < PLAUSIBLE) this.undetected.add(segment)
        return null
      }
      const wasEnglish = english !== null
      english ??= await recognise()
      if (!wasEnglish && before !== null && english.confidence < UNLIKELY_ENGLISH) {
        // Sounds like English, but the English model does not understand it.
        this.belief.switchTo(before)
        return null
      }
      if (english.confidence < CLEARLY_ENGLISH) {
        english = await confirmEnglish(this.belief, english, scores, read)
        if (this.isEnglish() && (await isLoneWord(this.belief, 'en', secondsOf(segment), async () => scores)))
          english = english.text === '' ? english : asUnclear(english)
      }
    }
    if (!this.isEnglish()) return null
    this.wasUnlikelyEnglish = english.confidence < UNLIKELY_ENGLISH
    if (english.confidence >= CLEARLY_ENGLISH) {
      const scores = async (): Promise<LanguageScores> =>
        (await this.options.models.whisper()).languageScores(await encode())
      if (await isEnglishAlone(this.belief, english, secondsOf(segment), scores, read))
        this.belief.confirm('en')
      else english = asUnclear(english)
    }
    return this.byMoonshine(segment, english)
  }

  /** Unfinished speech is transcribed again, so its ending is left out without a run of Whisper. */
  private async withConfirmedEnding(
    { withoutEnding, ...recognition }: EnglishRecognition,
    again: () => Promise<string>,
  ): Promise<Recognition> {
    if (!withoutEnding) return recognition
    const isSaid = !this.options.isUnfinished && isLongEnough(await again(), withoutEnding, recognition)
    return isSaid ? recognition : withoutEnding
  }

  private async read(audio: Tensor, samples: Float32Array, language: string): Promise<Reading> {
    const whisper = await this.options.models.whisper()
    const phrases = await whisper.transcribe(audio, samples.length / SAMPLE_RATE, language, [])
    this.options.onStep()
    const text = phrases.map((phrase) => phrase.text).join(' ')
    return { language, text, confidence: confidenceOf(phrases) }
  }

  private async byMoonshine(segment: SpeechSegment, recognition: Recognition): Promise<TranscribedWindow> {
    const { start, end, overlap, samples, isFaint, isClipped } = segment
    const again = (): Promise<string> => this.textByWhisper(samples, 'en')
    const confirmed = await withConfirmedSlurs(recognition, 'en', again)
    const isUnclear = isFaint || (isClipped && confirmed.confidence < CLEAR_IN_CLIPPED)
    const { text, confidence, words } = isUnclear ? asUnclear(confirmed) : confirmed
    const timed = timeWords(words, samples).map((word) => moved(word, start - overlap))
    const transcribed = { start, end, text, language: 'en', confidence, words: timed }
    if (text === '') return { segments: unclearGaps([], [segment], 'en'), overlap }
    return { segments: [transcribed], overlap }
  }

  private async byWhisper(
    segments: SpeechSegment[],
    language: string,
    encoded?: Tensor,
  ): Promise<TranscribedWindow> {
    const { samples, timeAt, partOf } = packOf(segments)
    const whisper = await this.options.models.whisper()
    const audio = encoded ?? (await this.encode(samples))
    const seconds = samples.length / SAMPLE_RATE
    const { hotwords } = this.options
    // Whisper is often unsure of a right first word.
    const cutOff = { atEnd: segments.at(-1)?.cutOff?.atEnd }
    const phrases = await whisper.transcribe(audio, seconds, language, hotwords, cutOff)
    const transcribed: (Segment & Recognition)[] = []
    const timesOf = ({ start, end }: Timed): Timed => ({
      start: timeAt(start, 'start'),
      end: timeAt(end, 'end'),
    })
    const uncertain = segments.filter(({ isUncertain }) => isUncertain)
    for (const phrase of phrases) {
      const around = { start: phrase.start - MARGIN, end: phrase.end + MARGIN }
      const again = (): Promise<string> => this.textAgain(samples.slice(...spanOf(around)), language)
      const confirmed = await withConfirmedSlurs(phrase, language, again)
      if (isDoubtful(confirmed) && isWithin(timesOf(phrase), uncertain)) continue
      const { text, confidence, words } = isDoubtful(confirmed) ? asUnclear(confirmed) : confirmed
      const own = samples.subarray(...spanOf(phrase))
      const timed = timeWords(words, own).map((word) => ({
        ...word,
        start: timeAt(phrase.start + word.start, 'start'),
        end: timeAt(phrase.start + word.end, 'end'),
      }))
      transcribed.push({ ...timesOf(phrase), text, language, confidence, words: timed })
    }
    const lone: SpeechSegment[] = []
    // The longest first: with it, the others are not alone.
    for (const segment of segments.toSorted((one, other) => other.samples.length - one.samples.length)) {
      const score = () => whisper.languageScores(audio, partOf(segment))
      if (await isLoneWord(this.belief, canonicalCode(language), secondsOf(segment), score))
        lone.push(segment)
    }
    const undetected = segments.filter((segment) => this.undetected.has(segment))
    const understood = transcribed.map((phrase) =>
      phrase.confidence < UNLIKELY_SPEECH && isWithin(phrase, undetected) ? unclear(phrase) : phrase,
    )
    return { segments: withMarks(understood, segments, lone, language), overlap: segments[0]?.overlap ?? 0 }
  }

  /** By the other model for English; in other languages by Whisper, without the speech around it. */
  private async textAgain(samples: Float32Array, language: string): Promise<string> {
    if (language !== 'en') return this.textByWhisper(samples, language)
    return (await (await this.options.models.moonshine())(samples)).text
  }

  private async textByWhisper(samples: Float32Array, language: string): Promise<string> {
    return (await this.read(await this.encode(samples), samples, language)).text
  }

  private async encode(samples: Float32Array): Promise<Tensor> {
    const whisper = await this.options.models.whisper()
    this.options.onStep()
    const audio = await whisper.encode(samples)
    this.options.onStep()
    return audio
  }

  private async detect(
    audio: Tensor,
    samples: Float32Array,
    isUnlikelyEnglish = false,
  ): Promise<LanguageScores> {
    const scores = await (await this.options.models.whisper()).languageScores(audio)
    this.belief.update(scores, samples.length / SAMPLE_RATE, isUnlikelyEnglish)
    return scores
  }

  private isEnglish = (): boolean => this.options.usesMoonshine && this.belief.current === 'en'

  /** By the code of the request: Whisper has one code for Norwegian Bokmål and Norwegian. */
  private language(): string {
    const current = this.belief.current ?? 'en'
    const names = [this.options.expected ?? [], this.options.candidates].flat()
    return names.find((code) => canonicalCode(code) === current) ?? current
  }
}

/** Whether a text has more words than the middle between both: they can be other words of the same length. */
const isLongEnough = (text: string, shorter: Recognition, longer: Recognition): boolean =>
  countWords(text) > (countWords(shorter.text) + countWords(longer.text)) / 2

const countWords = (text: string): number => text.split(/\s+/).length

const secondsOf = ({ samples }: SpeechSegment): number => samples.length / SAMPLE_RATE

/** In samples. */
const spanOf = ({ start, end }: Timed): [number, number] => [
  Math.max(0, Math.round(start * SAMPLE_RATE)),
  Math.max(0, Math.round(end * SAMPLE_RATE)),
]

const moved = (word: Word, seconds: number): Word => ({
  ...word,
  start: word.start + seconds,
  end: word.end + seconds,
})

/** The mean confidence of several phrases, in which long ones count more. */
function confidenceOf(phrases: readonly Recognition[]): number {
  const length = phrases.reduce((sum, { text }) => sum + text.length, 0)
  return phrases.reduce((sum, { text, confidence }) => sum + (confidence * text.length) / length, 0)
}
