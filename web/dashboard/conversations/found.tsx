import { Mark } from '@mantine/core'
import type { ReactNode } from 'react'
import { findWords } from './find-words.ts'

/** A text in which the words that a search found are marked. Always text, never markup. */
export function Found({ text, words }: { text: string; words: readonly string[] }): ReactNode {
  const parts: ReactNode[] = []
  let shown = 0
  for (const { start, end } of findWords(text, words)) {
    parts.push(text.slice(shown, start), <Mark key={start}>{text.slice(start, end)}</Mark>)
    shown = end
  }
  return [...parts, text.slice(shown)]
}
