import { setImmediate as turn } from 'node:timers/promises'
import {
  guessLanguage,
  languageWithin,
  lexiconFor,
  localeOf,
  type Term,
} from '../../../../grounding/text/lexicon.ts'
import { sentencesOf } from '../../../../grounding/text/sentences.ts'
import { type IsSlur, isSlur } from '../../../../speech/slurs/slurs.ts'
import { isUnderstood } from '../../../../speech/unclear-text.ts'
import type { Utterance } from '../../summarizer.ts'
import { readable } from '../../unclear-words.ts'
import { type Concern, concernOf } from './concern.ts'
import { isGreeting } from './greetings.ts'

/** A sentence of a transcript. */
export interface Passage {
  text: string
  utterance: string
  /** Empty within a single conversation. */
  conversation: string
  /** Word by word; null for stop words, and for slurs, which never name a subject. */
  terms: readonly (Term | null)[]
  /** The keys without stop words. */
  keys: readonly string[]
  /** The locale of the language of these words. */
  locale: string
  concern: Concern
  /** The speech engine is unsure of the words. */
  unclear: boolean
  /** In a report: phrases that are one term, as they are written, and their keys ("car park"). */
  phrases?: ReadonlyMap<string, string>
}

/** Utterances per turn of the event loop. */
const BATCH_SIZE = 50

export async function readPassages(
  utterances: readonly Utterance[],
  language: string | null,
  signal: AbortSignal,
  conversation = '',
  isListed: IsSlur = isSlur,
): Promise<Passage[]> {
  const slurs = new Map<string, boolean>()
  const isNamed = (term: Term, locale: string): boolean => {
    const word = `${locale} ${term.key}`
    const known = slurs.get(word) ?? isListed(term.key, locale)
    slurs.set(word, known)
    return !known
  }
  const sample = utterances.slice(0, BATCH_SIZE).map(({ text }) => text)
  const main = languageWithin(sample.join(' '), localeOf(language ?? guessLanguage(sample)))
  const passages: Passage[] = []
  for (const [index, { id, text, unclear = false }] of utterances.entries()) {
    if (index % BATCH_SIZE === 0) await yieldToEventLoop(signal)
    for (const sentence of sentencesOf(text, main).filter(isUnderstood)) {
      // People change languages, and the language of a project is not that of everyone.
      const { locale, terms: termsOf } = lexiconFor(languageWithin(sentence, main))
      // The mark of unclear words is not a word.
      const terms = termsOf(readable(sentence)).map((term) => (term && isNamed(term, locale) ? term : null))
      const keys = terms.flatMap((term) => term?.key ?? [])
      const concern = concernOf(sentence, locale)
      passages.push({ text: sentence, utterance: id, conversation, terms, keys, locale, concern, unclear })
    }
  }
  return withoutGreetings(passages)
}

/** All passages if nothing else was said. */
export function withoutGreetings(passages: Passage[]): Passage[] {
  const said = passages.filter(({ text }) => !isGreeting(text))
  return said.some(({ text }) => /\p{L}/u.test(text)) ? said : passages
}

/** A sentence as a claim that rests on its utterance. */
export const asClaim = ({ text, utterance }: Passage) => ({ text, utterances: [utterance] })

/** Yields to the event loop. Throws if the signal is aborted. */
export async function yieldToEventLoop(signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  await turn()
}
