import { readWeights, type WhisperFiles } from '../models/weights.ts'

interface GenerationConfig {
  lang_to_id: Record<string, number>
  suppress_tokens: number[]
  begin_suppress_tokens: number[]
}

/** Whisper's special tokens. */
export const TOKENS = {
  end: 50_257,
  start: 50_258,
  transcribe: 50_359,
  /** Precedes earlier text, which guides spelling. */
  previous: 50_361,
  noTimestamps: 50_363,
  /** 0.00 s; the following tokens are steps of 20 ms, up to 30 s. */
  firstTimestamp: 50_364,
}

export const SECONDS_PER_TIMESTAMP = 0.02

export interface Vocabulary {
  textOf(tokens: readonly number[]): string
  tokensOf(text: string): number[]
  /** Whisper's token of each language, by its code. */
  languages: ReadonlyMap<string, number>
  /** Tokens that are never chosen, such as brackets and music. */
  suppressed: readonly number[]
  /** Tokens that are not chosen at the beginning: an end or a space. */
  suppressedFirst: readonly number[]
}

export async function readVocabulary(files: WhisperFiles): Promise<Vocabulary> {
  const ids = JSON.parse((await readWeights(files.vocabulary)).toString()) as Record<string, number>
  const config = JSON.parse((await readWeights(files.generation)).toString()) as GenerationConfig
  const merges = (await readWeights(files.merges)).toString().split('\n').slice(1)
  const ranks = new Map(merges.map((pair, rank) => [pair, rank]))
  const spellings = new Map(Object.entries(ids).map(([spelling, id]) => [id, spelling]))
  const languages = Object.entries(config.lang_to_id).map(([sign, id]) => [sign.slice(2, -2), id] as const)
  return {
    textOf: (tokens) =>
      decodeBytes(tokens.map((token) => (token < TOKENS.end ? (spellings.get(token) ?? '') : '')).join('')),
    tokensOf: (text) =>
      wordsOf(text).flatMap((word) => mergePairs(word, ranks).map((part) => ids[part] ?? 0)),
    languages: new Map(languages),
    suppressed: config.suppress_tokens,
    suppressedFirst: config.begin_suppress_tokens,
  }
}

/** The vocabulary represents bytes by characters: printable ones by themselves, others from U+0100 on. */
const LETTERS = lettersOfBytes()
const BYTES = new Map(LETTERS.map((letter, byte) => [letter, byte]))

function lettersOfBytes(): string[] {
  let next = 256
  return Array.from({ length: 256 }, (_, byte) => {
    const isPrintable = (byte > 32 && byte < 127) || (byte > 160 && byte !== 173)
    return String.fromCodePoint(isPrintable ? byte : next++)
  })
}

const decodeBytes = (spelling: string): string =>
  new TextDecoder().decode(Uint8Array.from(spelling, (letter) => BYTES.get(letter) ?? 63))

const wordsOf = (text: string): string[] =>
  (text.match(/ ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+/gu) ?? []).map((word) =>
    [...new TextEncoder().encode(word)].map((byte) => LETTERS[byte]).join(''),
  )

/** Byte pair encoding: pairs are merged in the order of their ranks. */
function mergePairs(word: string, ranks: ReadonlyMap<string, number>): string[] {
  const parts = Array.from(word)
  while (parts.length > 1) {
    let [best, at] = [Number.POSITIVE_INFINITY, -1]
    for (let index = 0; index + 1 < parts.length; index++) {
      const rank = ranks.get(`${parts[index]} ${parts[index + 1]}`) ?? Number.POSITIVE_INFINITY
      if (rank < best) [best, at] = [rank, index]
    }
    if (at < 0) break
    parts.splice(at, 2, `${parts[at]}${parts[at + 1]}`)
  }
  return parts
}
