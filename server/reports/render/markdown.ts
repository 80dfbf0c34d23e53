import { type PreparedParagraph, type PreparedReport, type PreparedSection, prepare } from './prepare.ts'
import type { ReportDocument } from './report-document.ts'
import type { Words } from './words.ts'

/** The report as CommonMark. */
export function renderMarkdown(document: ReportDocument): string {
  const report = prepare(document)
  const { words, conversations } = report
  return [
    ...opening(report),
    ...report.sections.flatMap((section) => sectionOf(section, words)),
    ...(conversations.length > 0 ? [`## ${escaped(words.conversations)}`, conversationList(report)] : []),
  ]
    .join('\n\n')
    .concat('\n')
}

const opening = ({ title, project, facts, leftOut, notice, introduction }: PreparedReport): string[] => [
  `# ${escaped(title)}`,
  [project, facts, leftOut ?? ''].filter(Boolean).map(escaped).join('  \n'),
  ...(notice === null ? [] : [`*${escaped(notice)}*`]),
  ...introduction.map(escaped),
]

const sectionOf = ({ heading, paragraphs, quotations }: PreparedSection, words: Words): string[] => [
  `## ${escaped(heading)}`,
  ...paragraphs.map((one) => ('erased' in one ? erased(words) : paragraphOf(one))),
  ...quotations.map((one) =>
    'erased' in one
      ? `> ${erased(words)}`
      : `> ${escaped(one.text)}\n>\n> ${words.dash} ${link(one.attribution.join(', '), one.href)}`,
  ),
]

const paragraphOf = ({ text, marks }: PreparedParagraph): string =>
  [escaped(text), ...marks.map(({ label, href }) => `\\[${link(label, href)}\\]`)].join(' ')

const erased = ({ erased }: Words): string => `*${escaped(`[${erased}]`)}*`

const conversationList = ({ conversations }: PreparedReport): string =>
  conversations
    .map(
      ({ number, title, facts, href }) =>
        `${number}. ${[link(title, href), ...facts.map(escaped)].join(', ')}`,
    )
    .join('\n')

const link = (text: string, href: string | null): string =>
  href === null ? escaped(text) : `[${escaped(text)}](<${destination(href)}>)`

/** A canonical URL has no angle bracket, but a backslash or `&copy;` in its query would be read as CommonMark's own. */
const destination = (href: string): string => href.replaceAll('\\', '%5C').replaceAll('&', '&amp;')

/** Signs that mean something inside of a line, to CommonMark or to a common extension of it (tables, maths, notes, mail addresses). */
const INLINE = /[\\`*_[\]{}<>&~|$^=#@]/g
/** What extensions turn into links and pictures without a sign: `https://…`, `www.…`, `:name:`. */
const BARE = /:(?=[/\p{L}_+-])|(?<=www)\./giu

/** Text that stays text. A sign is escaped only where it could be read as markup: people read this too. */
export function escaped(text: string): string {
  return (
    text
      .replace(INLINE, '\\$&')
      .replace(BARE, '\\$&')
      // A line that begins with one of these would be a list, a rule or a definition.
      .replace(/^[-+:!%]/, '\\$&')
      .replace(/^(\d+)([.)])/, '$1\\$2')
  )
}
