import { Mark } from '@mantine/core'
import type { ReactNode } from 'react'

const WORD = /[\p{L}\p{M}\p{N}]+/gu
/** Scripts without spaces: a word can begin anywhere. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u

/** As the search compares words: without case and accents. */
const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** The words of a search, to be marked. */
export const wordsOf = (q: string | undefined): string[] => fold(q ?? '').match(WORD) ?? []

/** A text in which the words that a search found are marked. Always text, never markup. */
export function Found({ text, words }: { text: string; words: readonly string[] }): ReactNode {
  if (words.length === 0) return text
  const parts: ReactNode[] = []
  let end = 0
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const folded = fold(word)
    const isFound = UNSPACED.test(word)
      ? words.some((one) => folded.includes(one))
      : words.some((one) => folded.startsWith(one))
    if (!isFound) continue
    parts.push(text.slice(end, index), <Mark key={index}>{word}</Mark>)
    end = index + word.length
  }
  return [...parts, text.slice(end)]
}
