import type { ReportSection } from '../../summarizer.ts'
import { isGreeting } from './greetings.ts'
import { asClaim, type Passage, withoutGreetings } from './passages.ts'
import { distinct as peopleOf } from './sections.ts'
import { selectPoints, thin } from './select.ts'
import type { Theme } from './themes.ts'

const MAX_SENTENCES = 12

/** A section for sentences without a theme: of conversations that share no word with others, or of a report on little text. */
export async function remainderOf(
  talks: readonly (readonly Passage[])[],
  { themes, sections }: { themes: readonly Theme[]; sections: readonly ReportSection[] },
  signal: AbortSignal,
): Promise<ReportSection[]> {
  const used = new Set(
    sections.flatMap(({ paragraphs, quotations }) => [...paragraphs, ...quotations].map(({ text }) => text)),
  )
  const unused = withoutGreetings(talks.flat().filter(({ text }) => !used.has(text) && /\p{L}/u.test(text)))
  const picked =
    unused.length <= MAX_SENTENCES ? distinct(unused) : await selectFromOthers(talks, themes, signal)
  if (picked.length === 0) return []
  const paragraphs = picked.map(asClaim)
  const conversations = withoutTheme(talks, themes)
  const voices = conversations.length > 0 && { voices: { conversations, for: [], against: [] } }
  return [{ heading: '', paragraphs, quotations: [], ...voices }]
}

/** People who speak about no theme. They are counted, even if none of their sentences was selected. */
function withoutTheme(talks: readonly (readonly Passage[])[], themes: readonly Theme[]): string[] {
  const themed = new Set(themes.flatMap(({ passages }) => peopleOf(passages)))
  return peopleOf(talks.flat()).filter((id) => !themed.has(id))
}

/** Without repetitions. */
const distinct = (passages: readonly Passage[]): Passage[] =>
  [...new Map(passages.toReversed().map((passage) => [passage.text, passage])).values()].reverse()

/** The most important sentences of conversations without a theme. */
async function selectFromOthers(
  talks: readonly (readonly Passage[])[],
  themes: readonly Theme[],
  signal: AbortSignal,
): Promise<readonly Passage[]> {
  const themed = new Set(themes.flatMap(({ passages }) => passages))
  const others = talks.filter(
    (talk) => !talk.some((passage) => themed.has(passage) || isGreeting(passage.text)),
  )
  const share = Math.max(1, Math.floor(MAX_SENTENCES / others.length))
  const picked: Passage[] = []
  for (const talk of others) picked.push(...(await selectPoints(talk, share, signal)))
  return thin(distinct(picked), MAX_SENTENCES)
}
