import type { Said } from '../server/summaries/engines/openai/sources.ts'
import { sentencesOf } from './text/sentences.ts'

/** Sentences in one quotation. */
const MAX_QUOTED = 4
/** An apostrophe opens nothing after a letter, and closes nothing before one or after a space. */
const QUOTED = [
  /„([^„“”]+)[“”]/gu,
  /“([^“”]+)”/gu,
  /«([^«»]+)»/gu,
  /»([^«»]+)«/gu,
  /"([^"]+)"/gu,
  /(?<!\p{L})‘([^‘]*?\S)’(?!\p{L})/gu,
  /(?<!\p{L})'(?=\S)([^']*\S)'(?!\p{L})/gu,
]
const LEFT_OUT = /…|\.{3}|\[[^\]]*\]/u

/** Whether all that stands in quotation marks was said, word for word: a translation was not. */
export function quotesHold(text: string, said: readonly Said[]): boolean {
  const quoted = QUOTED.flatMap((pattern) => Array.from(text.matchAll(pattern), ([, words]) => words ?? ''))
  const stretches = quoted.flatMap((words) => words.split(LEFT_OUT)).map(bare)
  const spoken = joined(said).map(bare)
  return stretches.every((stretch) => stretch === '' || spoken.some((text) => holds(text, stretch)))
}

/** Neighbouring utterances as one text: a sentence may go on in the next. */
function joined(said: readonly Said[]): string[] {
  const texts: string[] = []
  let last: Said | undefined
  for (const one of said.toSorted(inOrder)) {
    const goesOn = one.conversation === last?.conversation && one.place === last.place + 1
    texts.push(goesOn ? `${texts.pop()} ${one.text}` : one.text)
    last = one
  }
  return texts
}

const inOrder = (a: Said, b: Said): number =>
  a.conversation === b.conversation ? a.place - b.place : a.conversation < b.conversation ? -1 : 1

/**
 * The sentences of what was said in which the quoted words stand, as they were said: nothing is quoted that nobody said,
 * nor half a sentence. Null where they stand nowhere.
 */
export function findQuoted(quoted: string, { text, language }: Said): string | null {
  const wanted = bare(quoted)
  if (wanted === '') return null
  const sentences = sentencesOf(text, language)
  const bared = sentences.map(bare)
  for (let count = 1; count <= Math.min(MAX_QUOTED, sentences.length); count++)
    for (let first = 0; first + count <= sentences.length; first++)
      if (holds(bare(bared.slice(first, first + count).join(' ')), wanted))
        return stretchOf(text, sentences, first, first + count)
  return null
}

/** Whole words of it. */
const holds = (text: string, words: string): boolean => ` ${text} `.includes(` ${words} `)

/** From the first of some neighbouring sentences to the last, with what stands between them. */
function stretchOf(text: string, sentences: readonly string[], first: number, end: number): string {
  let start = 0
  let at = 0
  for (const [index, sentence] of sentences.slice(0, end).entries()) {
    const found = text.indexOf(sentence, at)
    if (index === first) start = found
    at = found + sentence.length
  }
  return text.slice(start, at)
}

/** Without case, punctuation and the forms of one letter, which models change as they copy. */
const bare = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\p{P}\p{S}\s]+/gu, ' ')
    .trim()
