import { sentencesOf } from './text/sentences.ts'
import type { Evidence } from './types.ts'

/** Sentences in one quotation. */
const MAX_QUOTED = 4
/** An apostrophe after a letter does not open a quotation; one before a letter or after a space does not close it. */
const QUOTED = [
  /„([^„“”]+)[“”]/gu,
  /“([^“”]+)”/gu,
  /«([^«»]+)»/gu,
  /»([^«»]+)«/gu,
  /"([^"]+)"/gu,
  /(?<!\p{L})‘([^‘]*?\S)’(?!\p{L})/gu,
  /(?<!\p{L})'(?=\S)([^']*\S)'(?!\p{L})/gu,
]
const OMISSION = /…|\.{3}|\[[^\]]*\]/u

/** Whether all text in quotation marks was said word for word. A translation was not. */
export function areQuotesVerbatim(text: string, evidence: readonly Evidence[]): boolean {
  const quoted = QUOTED.flatMap((pattern) => Array.from(text.matchAll(pattern), ([, words]) => words ?? ''))
  const fragments = quoted.flatMap((words) => words.split(OMISSION)).map(normalize)
  const spoken = joinNeighbours(evidence).map(normalize)
  return fragments.every(
    (fragment) => fragment === '' || spoken.some((text) => containsWords(text, fragment)),
  )
}

/** Consecutive utterances as one text: a sentence can continue in the next. */
function joinNeighbours(evidence: readonly Evidence[]): string[] {
  const texts: string[] = []
  let last: Evidence | undefined
  for (const one of evidence.toSorted(inOrder)) {
    const isNext = one.conversation === last?.conversation && one.position === last.position + 1
    texts.push(isNext ? `${texts.pop()} ${one.text}` : one.text)
    last = one
  }
  return texts
}

const inOrder = (a: Evidence, b: Evidence): number =>
  a.conversation === b.conversation ? a.position - b.position : a.conversation < b.conversation ? -1 : 1

/** The whole sentences that contain the quoted words, exactly as they were said; null if the words were not said. */
export function findQuotation(quoted: string, { text, language }: Evidence): string | null {
  const wanted = normalize(quoted)
  if (wanted === '') return null
  const sentences = sentencesOf(text, language)
  const bared = sentences.map(normalize)
  for (let count = 1; count <= Math.min(MAX_QUOTED, sentences.length); count++)
    for (let first = 0; first + count <= sentences.length; first++)
      if (containsWords(normalize(bared.slice(first, first + count).join(' ')), wanted))
        return textBetween(text, sentences, first, first + count)
  return null
}

/** Compares whole words. */
const containsWords = (text: string, words: string): boolean => ` ${text} `.includes(` ${words} `)

/** The text from the first sentence to the last, with the characters between them. */
function textBetween(text: string, sentences: readonly string[], first: number, end: number): string {
  let start = 0
  let at = 0
  for (const [index, sentence] of sentences.slice(0, end).entries()) {
    const found = text.indexOf(sentence, at)
    if (index === first) start = found
    at = found + sentence.length
  }
  return text.slice(start, at)
}

/** Without case, punctuation and variants of a letter, which models change when they copy text. */
const normalize = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\p{P}\p{S}\s]+/gu, ' ')
    .trim()
