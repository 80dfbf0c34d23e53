/** The words of one language that the checks need. Strings of words are separated by spaces. */
export interface Language {
  /** ISO 639-1. */
  code: string
  numbers?: NumberData
  /** Patterns for "percent", and for the words between the ends of a range ("20 to 25"), without accents. */
  percent?: string
  range?: string
  injection?: InjectionWords
  /** Pattern for words that negate a clause. */
  negations?: string
  /** Pattern for words with which people say what they or others want. */
  wishes?: string
  /** Units of time, length and money that a model can confuse, in the plural. */
  units?: string
  counts?: CountWords
  /** Abbreviations that never end a sentence, without their last full stop. */
  abbreviations?: string
  /** Sounds of hesitation and other words of speech that lists of stop words lack. */
  hesitations?: string
  /** Pattern for articles that are joined to a word by an apostrophe. */
  elisions?: string
  /** Whether all nouns are capitalised, so that names cannot be recognised. */
  capitalizesNouns?: true
}

/** How numbers are written in words. All words are compared without spaces, hyphens and accents. */
export interface NumberData {
  /** From n2words. */
  cardinal(n: number): string
  /** From n2words. */
  ordinal(n: number): string
  /** All spellings of a cardinal below 1,000, given the library's. */
  cardinalForms(word: string, n: number): string[]
  /** All forms of an ordinal, given the library's. */
  ordinalForms(word: string, n: number): string[]
  /** Ordinals are recognised up to here. Default: 31, the last day of a month. */
  maxOrdinal?: number
  /** Words for 10³, 10⁶, 10⁹ and 10¹². */
  scales: [thousand: string, million: string, milliard: string, billion: string]
  /** The word between thousands and the rest. */
  and: string
  /** The words before a fraction. */
  points: string
  /** The words for "and a half", after a number. */
  halvesAfter: string
  /** Halves without another number. */
  halves: Record<string, number>
  /** Words before an hour, with their minutes; below 0 if they count from the hour before. */
  clock?: Record<string, number>
}

/** Patterns for statements about how many people said something. */
export interface CountWords {
  /** "residents", "conversations": what is counted. */
  people: string
  /** "everyone". */
  everyone: string
  /** "all the", before `people`. */
  all: string
  /** "most of the", before `people`. */
  most: string
}

/** Patterns for "ignore all previous instructions". A sentence needs an imperative, "earlier" and "instructions": people forget instructions, too. */
export interface InjectionWords {
  /** Verbs as commands: "ignore". */
  imperatives: string
  /** "previous". */
  earlier: string
  /** "instructions". */
  instructions: string
  /** Subjects and negations before the verb: "they ignore", "do not ignore". */
  subjects?: string
  /** "all", "your": in a sentence that begins as a command, these replace "previous". */
  determiners?: string
  /** Words that can precede a command: "now please". */
  fillers?: string
  /** A pronoun after the verb, as in German "ignorieren Sie". */
  pronoun?: string
  /** Sentences that people do not say to each other. */
  unmistakable?: RegExp[]
}

/** Lower case, without accents. */
export const withoutAccents = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss')

export const words = (list: string): string[] => list.split(' ')

/** Computes the value of each key once, and keeps it: the number of keys must be limited. */
export function memoized<Key, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const values = new Map<Key, Value>()
  return (key) => {
    const value = values.get(key) ?? compute(key)
    values.set(key, value)
    return value
  }
}
