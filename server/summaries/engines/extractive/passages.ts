import { setImmediate as turn } from 'node:timers/promises'
import { guessLanguage, lexiconFor, type Term } from '../../../../grounding/text/lexicon.ts'
import { sentencesOf } from '../../../../grounding/text/sentences.ts'
import type { Utterance } from '../../summarizer.ts'

/** A sentence that was said, and where. */
export interface Passage {
  text: string
  utterance: string
  /** Empty within a single conversation. */
  conversation: string
  /** Word by word; null stands for one that says nothing. */
  terms: readonly (Term | null)[]
  /** The keys of those that say something. */
  keys: readonly string[]
}

/** So many utterances are read before others get the thread. */
const AT_ONCE = 50

export async function readPassages(
  utterances: readonly Utterance[],
  language: string | null,
  signal: AbortSignal,
  conversation = '',
): Promise<Passage[]> {
  const lexicon = lexiconFor(language ?? guessLanguage(utterances.slice(0, AT_ONCE).map(({ text }) => text)))
  const passages: Passage[] = []
  for (const [index, { id, text }] of utterances.entries()) {
    if (index % AT_ONCE === 0) await breathe(signal)
    for (const sentence of sentencesOf(text, lexicon.locale)) {
      const terms = lexicon.terms(sentence)
      const keys = terms.flatMap((term) => term?.key ?? [])
      passages.push({ text: sentence, utterance: id, conversation, terms, keys })
    }
  }
  return passages
}

/** Lets others have the thread, and ends here where nobody wants the result any more. */
export async function breathe(signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  await turn()
}
