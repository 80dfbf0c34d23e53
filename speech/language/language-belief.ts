/** The probability of each language, by ISO 639 code. */
export type LanguageScores = readonly (readonly [code: string, probability: number])[]

/** How probable it is that the next stretch is in the same language. */
const STAYS = 0.8
/** The prior probability of another language: of an offered one, of any if all are offered, and of one that is not offered. */
const OFFERED = 0.2
const ANY = 0.1
const NOT_OFFERED = 0.01
/** Laughter sounds a little like many languages, and clearly like none. */
const CLEAR = 0.5
/**
 * No language is ruled out by one stretch: detection of short stretches is often wrong. Below `NOT_OFFERED`, so that a long stretch
 * with a probability of 0.8 is enough for a language that is not offered; with an equal value it took 0.99.
 */
const FLOOR = 0.008
/** Latin and Sanskrit: Whisper takes unclear speech for them, but no one speaks them at home. */
const LEARNED = new Set(['la', 'sa'])
/** A stretch this long counts fully, in seconds. Of Dutch stretches below 2 s, one in two was detected as another language. */
const FULL_WEIGHT = 4
/** Below this probability, a language that was neither offered nor spoken is not compared. */
const RIVAL = 0.05
/** If the English model's confidence is below `UNLIKELY_ENGLISH`, the text is almost never English: its belief is multiplied by this. */
const UNLIKELY_ENGLISH_FACTOR = 0.05

/**
 * The language that is spoken, updated stretch by stretch. It follows a speaker who changes the language, and ignores a single short
 * stretch that sounds like another one.
 */
export class LanguageBelief {
  /** The most probable language; null before anything is known. */
  current: string | null
  private beliefs: Map<string, number>
  private readonly offered: ReadonlySet<string>
  private spoken = new Set<string>()
  /** Languages of more than a short, uncertain stretch. */
  private certain = new Set<string>()

  /** `expected` is believed until the speech contradicts it. */
  constructor(expected: string | null, offered: readonly string[]) {
    this.offered = new Set(expected === null ? offered : [expected, ...offered])
    this.beliefs = new Map(expected === null ? [] : [[expected, 1]])
    this.current = expected
  }

  copy(): LanguageBelief {
    const copy = new LanguageBelief(null, [...this.offered])
    copy.copyFrom(this)
    return copy
  }

  /** Copies the state. Later updates of one do not change the other. */
  copyFrom(other: LanguageBelief): void {
    this.beliefs = new Map(other.beliefs)
    this.spoken = new Set(other.spoken)
    this.certain = new Set(other.certain)
    this.current = other.current
  }

  /** Updates the belief after a stretch of `seconds` with these scores. */
  update(scores: LanguageScores, seconds: number, isUnlikelyEnglish = false): void {
    const weight = Math.min(1, seconds / FULL_WEIGHT)
    const beliefs = scores.map(([code, probability]): [string, number] => {
      const before = STAYS * (this.beliefs.get(code) ?? 0) + this.priorOf(code, probability)
      const evidence = (probability + FLOOR) ** weight
      return [code, before * evidence * (isUnlikelyEnglish && code === 'en' ? UNLIKELY_ENGLISH_FACTOR : 1)]
    })
    const sum = beliefs.reduce((total, [, belief]) => total + belief, 0)
    this.beliefs = new Map(beliefs.map(([code, belief]) => [code, belief / sum]))
    this.become(mostProbable(beliefs) ?? null)
  }

  /** Makes a language certain, because its text was better than that of the current one. */
  switchTo(language: string): void {
    this.beliefs = new Map([[language, 1]])
    this.become(language)
  }

  isOffered = (language: string): boolean => this.offered.has(language)

  /** Notes that a language is spoken for certain. */
  confirm = (language: string): void => void this.certain.add(language)

  isCertain = (language: string): boolean => this.certain.has(language)

  /** Whether a single stretch can be in another language than it seems: no language that is offered or certain. */
  isDoubtful = (language: string): boolean =>
    this.offered.size > 0 && !this.offered.has(language) && !this.certain.has(language)

  /** Languages that a stretch can be in instead of the current one: the most probable, and the most probable that was offered or spoken. */
  rivals(scores: LanguageScores): string[] {
    const others = scores.filter(
      ([code]) => code !== this.current && (!LEARNED.has(code) || this.offered.has(code)),
    )
    const known = others.filter(([code]) => this.offered.has(code) || this.spoken.has(code))
    const likely = others.filter(([, probability]) => probability >= RIVAL)
    return [...new Set([mostProbable(likely) ?? [], mostProbable(known) ?? []].flat())]
  }

  private become(language: string | null): void {
    this.current = language
    if (language !== null) this.spoken.add(language)
  }

  private priorOf(code: string, probability: number): number {
    if (this.offered.has(code)) return OFFERED
    if (LEARNED.has(code)) return 0
    const isBelievable = this.beliefs.size === 0 || probability >= CLEAR
    return this.offered.size === 0 && isBelievable ? ANY : NOT_OFFERED
  }
}

export const probabilityIn = (scores: LanguageScores, language: string | null): number =>
  scores.find(([code]) => code === language)?.[1] ?? 0

const mostProbable = (scores: LanguageScores): string | undefined =>
  scores.reduce<LanguageScores[number] | undefined>(
    (most, other) => (most && most[1] >= other[1] ? most : other),
    undefined,
  )?.[0]
