import { UNCONFIRMED_WORD } from '../types.ts'
import { isUnderstood } from '../unclear-text.ts'
import {
  confidenceOfWord,
  type Recognition,
  recognitionOf,
  type ScoredToken,
  tokensByWord,
} from './confidence.ts'

/** How many words at the end are examined. Decoders seldom invent more for a word that is cut off. */
const REACH = 4

/** Where the audio of a stretch of speech is cut off, perhaps within a word. */
export interface CutOff {
  atStart?: boolean | undefined
  atEnd?: boolean | undefined
}

/**
 * The text of speech that is cut off: doubtful words there are marked, because decoders complete the part of a word or invent others. The
 * words next to them are as certain as they would be without them. `doubtful`: a word with a lower confidence can be invented.
 */
export function recogniseCutOff(
  tokens: readonly ScoredToken[],
  textOf: (tokens: number[]) => string,
  doubtful: number,
  { atStart = false, atEnd = false }: CutOff,
): Recognition {
  const words = tokensByWord(tokens, textOf)
  const isDoubtful = (word: ScoredToken[]): boolean => confidenceOfWord(word) < doubtful
  const isClear = (word: ScoredToken[]): boolean => !isDoubtful(word)
  const begin = atStart ? indexOr(words.findIndex(isClear), words.length) : 0
  const rest = words.slice(begin).flat()
  const own = atEnd ? markDoubtfulEnding(rest, textOf, doubtful) : recognitionOf(rest, textOf)
  if (begin === 0) return own
  const whole = recognitionOf(tokens, textOf)
  if (own.text === '' || !isUnderstood(own.text)) return { ...whole, text: UNCONFIRMED_WORD, words: [] }
  const confidence = Math.min(...words.slice(0, begin).map(confidenceOfWord))
  return {
    text: `${UNCONFIRMED_WORD} ${own.text}`,
    // Few words are too little evidence: in another language, some sound like English by chance.
    confidence: words.length - begin < REACH ? whole.confidence : own.confidence,
    words: [{ text: UNCONFIRMED_WORD, confidence }, ...own.words],
  }
}

const indexOr = (index: number, otherwise: number): number => (index < 0 ? otherwise : index)

/**
 * Marks the words at the end of audio that stops within a word, from the first doubtful one on: decoders complete the part of the word,
 * or invent a new ending of the sentence. The words before it are as certain as they would be without it. `doubtful`: a word with a
 * lower confidence can be invented. Those that follow from it often have a high confidence.
 */
function markDoubtfulEnding(
  tokens: readonly ScoredToken[],
  textOf: (tokens: number[]) => string,
  doubtful: number,
): Recognition {
  const whole = recognitionOf(tokens, textOf)
  const words = tokensByWord(tokens, textOf)
  const isDoubtful = (word: ScoredToken[] | undefined): boolean =>
    word !== undefined && confidenceOfWord(word) < doubtful
  let first = words.findIndex((word, index) => index >= words.length - REACH && isDoubtful(word))
  if (first < 0) return whole
  while (isDoubtful(words[first - 1])) first--
  const before = recognitionOf(words.slice(0, first).flat(), textOf)
  if (before.text === '') return { ...whole, text: UNCONFIRMED_WORD, words: [] }
  const confidence = Math.min(...words.slice(first).map(confidenceOfWord))
  return {
    text: `${before.text} ${UNCONFIRMED_WORD}`,
    // Few words are too little evidence: in another language, some sound like English by chance.
    confidence: first < REACH ? whole.confidence : before.confidence,
    words: [...before.words, { text: UNCONFIRMED_WORD, confidence }],
  }
}
