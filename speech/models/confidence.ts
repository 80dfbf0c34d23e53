import { UNCONFIRMED_WORD } from '../types.ts'

/** A word and how sure the decoder was of it, from 0 to 1. */
export interface RecognisedWord {
  text: string
  confidence: number
}

/** Text with the confidence of the whole and of each word. */
export interface Recognition {
  text: string
  confidence: number
  words: RecognisedWord[]
}

/** A decoded token and the probability that the decoder gave it. */
export interface ScoredToken {
  token: number
  probability: number
}

/** Of texts that are marked as unclear; below `UNCLEAR_BELOW`. */
export const MAX_UNCLEAR = 0.5

/** Marks words as unclear that the models are too sure of, and speech of which they understood nothing. */
export const asUnclear = <T extends { text: string; confidence?: number }>(recognised: T): T => ({
  ...recognised,
  text: recognised.text || UNCONFIRMED_WORD,
  confidence: Math.min(recognised.confidence ?? 0, MAX_UNCLEAR),
})

const FEW_WORDS = 3
const HARDLY_BELIEVED = 0.1

/**
 * A few words, one of which the decoder hardly believed: the mean of their tokens can still be high. Of 15 words in such phrases of 38
 * recordings, 11 were wrong.
 */
export const isDoubtful = ({ words }: Pick<Recognition, 'words'>): boolean =>
  words.length <= FEW_WORDS && words.some(({ confidence }) => confidence < HARDLY_BELIEVED)

/** Scripts without spaces are divided at punctuation. */
const WORD_ENDS = /[。！？，、；]$/u

/** The confidence of a text is the geometric mean of its tokens: one doubtful word in a long phrase lowers it little. */
export function recognitionOf(
  tokens: readonly ScoredToken[],
  textOf: (tokens: number[]) => string,
): Recognition {
  const text = (part: readonly ScoredToken[]): string => textOf(part.map(({ token }) => token))
  return {
    text: text(tokens).trim(),
    confidence:
      tokens.length === 0 ? 0 : Math.exp(meanOf(tokens.map(({ probability }) => Math.log(probability)))),
    words: tokensByWord(tokens, textOf)
      .map((word) => ({ text: text(word).trim(), confidence: confidenceOfWord(word) }))
      .filter((word) => word.text !== ''),
  }
}

export function tokensByWord(
  tokens: readonly ScoredToken[],
  textOf: (tokens: number[]) => string,
): ScoredToken[][] {
  const text = (part: readonly ScoredToken[]): string => textOf(part.map(({ token }) => token))
  const words: ScoredToken[][] = []
  for (const scored of tokens) {
    const word = words.at(-1)
    const isNew = !word || /^\s/.test(text([scored])) || WORD_ENDS.test(text(word.slice(-1)))
    if (isNew) words.push([scored])
    else word.push(scored)
  }
  return words
}

/** A word is right only if all its tokens are. */
export const confidenceOfWord = (tokens: readonly ScoredToken[]): number =>
  tokens.reduce((product, { probability }) => product * probability, 1)

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** By index: an iterator takes twice as long, and each token has 32,000 values or more. */
export function probabilityOf(logits: Float32Array, token: number): number {
  let largest = Number.NEGATIVE_INFINITY
  for (let index = 0; index < logits.length; index++) largest = Math.max(largest, logits[index] as number)
  let sum = 0
  for (let index = 0; index < logits.length; index++) sum += Math.exp((logits[index] as number) - largest)
  return Math.exp((logits[token] as number) - largest) / sum
}
