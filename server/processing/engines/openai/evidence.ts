import { lexiconFor } from '../extractive/lexicon.ts'
import { sentencesOf } from '../extractive/sentences.ts'
import type { Line, Said } from './material.ts'
import type { Statement } from './tasks.ts'

const MAX_STATEMENT = 1_000
const MAX_SOURCES = 12
/** Sentences in one quotation. */
const MAX_QUOTED = 4
/** Inflected words share their beginning. */
const STEM = 4
const LINK = /\b(?:[a-z][a-z0-9+.-]*:\/\/|www\.|mailto:)\S+|\]\(/i
const CONTROL = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu

/** The statements that hold, as lines of their own: they name lines that were shown, and speak of what is in them. */
export const supported = (
  statements: readonly Statement[],
  shown: readonly Line[],
  language: string | null,
): Line[] =>
  statements.flatMap(({ text, sources }) => {
    const said = saidIn(sources, shown)
    const line = { text: tidy(text, MAX_STATEMENT), said: said.slice(0, MAX_SOURCES) }
    return line.text !== '' && isAbout(line.text, said, language) ? [line] : []
  })

function saidIn(labels: readonly string[], shown: readonly Line[]): Said[] {
  const lines = labels.flatMap((label) =>
    label.startsWith('s') ? (shown[Number(label.slice(1)) - 1] ?? []) : [],
  )
  return [...new Map(lines.flatMap(({ said }) => said).map((one) => [one.id, one])).values()]
}

/**
 * Whether a text can come from what was said: it shares a word with it and has no link of its own. That is little, but it
 * stops what has nothing to do with the lines that it names. Words of two languages can't be compared.
 */
export function isAbout(text: string, said: readonly Said[], language: string | null): boolean {
  if (LINK.test(text)) return false
  if (said.some((one) => one.language === null || one.language !== language)) return true
  const spoken = new Set(said.flatMap((one) => stemsOf(one.text, language)))
  return stemsOf(text, language).some((stem) => spoken.has(stem))
}

const stemsOf = (text: string, language: string | null): string[] =>
  lexiconFor(language)
    .terms(text)
    .flatMap((term) => term?.key.slice(0, STEM) ?? [])

/** On one line, without marks that reorder it, and not longer than that. */
export const tidy = (text: string, limit: number): string =>
  text.replace(CONTROL, ' ').replace(/\s+/gu, ' ').trim().slice(0, limit).toWellFormed()

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
      if (` ${bare(bared.slice(first, first + count).join(' '))} `.includes(` ${wanted} `))
        return stretchOf(text, sentences, first, first + count)
  return null
}

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
