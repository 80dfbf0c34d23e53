import type { ReportSection } from '../../summarizer.ts'
import type { Passage } from './passages.ts'
import { selectPassages, thin } from './select.ts'
import type { Theme } from './themes.ts'

/** So many sentences are told whole, and of more not more than these. */
const MOST = 12

/**
 * A section for what no theme has taken up: conversations that share no word with others would not be heard, and a report
 * on little would have no section at all.
 */
export async function remainderOf(
  talks: readonly (readonly Passage[])[],
  { themes, sections }: { themes: readonly Theme[]; sections: readonly ReportSection[] },
  signal: AbortSignal,
): Promise<ReportSection[]> {
  const told = new Set(sections.flatMap(textsOf))
  const untold = talks.flat().filter(({ text }) => !told.has(text) && /\p{L}/u.test(text))
  const picked = untold.length <= MOST ? distinct(untold) : await pickUnheard(talks, themes, signal)
  if (picked.length === 0) return []
  return [
    {
      heading: '',
      paragraphs: picked.map(({ text, utterance }) => ({ text, utterances: [utterance] })),
      quotations: [],
    },
  ]
}

const textsOf = ({ paragraphs, quotations }: ReportSection): string[] =>
  [...paragraphs, ...quotations].map(({ text }) => text)

/** What was said several times, once. */
const distinct = (passages: readonly Passage[]): Passage[] =>
  [...new Map(passages.toReversed().map((passage) => [passage.text, passage])).values()].reverse()

/** Of conversations that no theme reaches, the sentences that say most. */
async function pickUnheard(
  talks: readonly (readonly Passage[])[],
  themes: readonly Theme[],
  signal: AbortSignal,
): Promise<readonly Passage[]> {
  const themed = new Set(themes.flatMap(({ passages }) => passages))
  const unheard = talks.filter((talk) => !talk.some((passage) => themed.has(passage)))
  const share = Math.max(1, Math.floor(MOST / unheard.length))
  const picked: Passage[] = []
  for (const talk of unheard) picked.push(...(await selectPassages(talk, share, signal)))
  return thin(distinct(picked), MOST)
}
