import type { ReportSection } from '../../summarizer.ts'
import { isGreeting } from './greetings.ts'
import { asClaim, type Passage, withoutGreetings } from './passages.ts'
import { distinct as peopleOf } from './sections.ts'
import { selectPoints, thin } from './select.ts'
import { isKnownSubject } from './subjects/index.ts'
import type { Theme } from './themes.ts'
import type { RootOf } from './units.ts'

const MAX_SENTENCES = 12

/** A theme and its section. */
export interface Written {
  theme: Theme
  section: ReportSection
}

/**
 * All sections. In a report on little text, sentences that were not selected follow in the section of their theme. The last section has
 * those without a theme: about a subject that only one person names, of conversations that share no word with others, or of a report
 * without themes.
 */
export async function withRemainder(
  talks: readonly (readonly Passage[])[],
  written: readonly Written[],
  rootOf: RootOf,
  signal: AbortSignal,
): Promise<ReportSection[]> {
  const sections = written.map(({ section }) => section)
  const themes = written.map(({ theme }) => theme)
  const used = new Set(
    sections.flatMap(({ paragraphs, quotations }) => [...paragraphs, ...quotations].map(({ text }) => text)),
  )
  const unused = distinct(
    withoutGreetings(talks.flat().filter(({ text }) => !used.has(text) && /\p{L}/u.test(text))),
  )
  if (unused.length > MAX_SENTENCES)
    return [...sections, ...lastSection(await selectFromOthers(talks, themes, signal), talks, themes)]
  const themed = new Set(
    themes.flatMap(({ root, passages }) =>
      passages.filter((passage) => !namesOtherSubject(passage, root, rootOf)),
    ),
  )
  const others = unused.filter((passage) => !themed.has(passage))
  const fitting = unused.filter((passage) => themed.has(passage))
  return [
    ...written.map(({ theme, section }) => withPassages(section, theme, fitting)),
    ...lastSection(others, talks, themes),
  ]
}

/** A statement about the park can end with "The buses are always late", which a section on the park should not contain. */
function namesOtherSubject({ keys, locale }: Passage, theme: string, rootOf: RootOf): boolean {
  const roots = keys.map((key) => rootOf(key, locale))
  return !roots.includes(theme) && roots.some(isKnownSubject)
}

/** The section with these passages of its theme, all in the order in which they were said. */
function withPassages(section: ReportSection, { passages }: Theme, added: readonly Passage[]): ReportSection {
  const claimed = new Set(section.paragraphs.map(({ text }) => text))
  const chosen = passages.filter((passage) => claimed.has(passage.text) || added.includes(passage))
  return { ...section, paragraphs: distinct(chosen).map(asClaim) }
}

function lastSection(
  picked: readonly Passage[],
  talks: readonly (readonly Passage[])[],
  themes: readonly Theme[],
): ReportSection[] {
  if (picked.length === 0) return []
  const conversations = withoutTheme(talks, themes)
  const voices = conversations.length > 0 && { voices: { conversations, for: [], against: [] } }
  return [{ heading: '', paragraphs: picked.map(asClaim), quotations: [], ...voices }]
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
