import type { Labels } from './labels.ts'
import {
  type PreparedParagraph,
  type PreparedQuotation,
  type PreparedReport,
  type PreparedSection,
  prepare,
} from './prepare.ts'
import type { ReportDocument } from './report-document.ts'

/** The report as CommonMark. */
export function renderMarkdown(document: ReportDocument): string {
  const report = prepare(document)
  const { labels, sources, conversations } = report
  return [
    ...opening(report),
    ...report.sections.flatMap((section) => sectionOf(section, labels)),
    ...(sources.length > 0
      ? [`## ${escaped(labels.sources)}`, ...sources.map((one) => quotationOf(one, labels))]
      : []),
    ...(conversations.length > 0 ? [`## ${escaped(labels.conversations)}`, conversationList(report)] : []),
  ]
    .join('\n\n')
    .concat('\n')
}

const opening = ({
  title,
  project,
  facts,
  leftOut,
  notice,
  introduction,
  sections,
}: PreparedReport): string[] => [
  `# ${escaped(title)}`,
  [project, facts, leftOut ?? ''].filter(Boolean).map(escaped).join('  \n'),
  ...findings(sections),
  ...(notice === null ? [] : [`*${escaped(notice)}*`]),
  ...introduction.map(escaped),
]

/** The themes with their counts. */
const findings = (sections: readonly PreparedSection[]): string[] => {
  const items = sections.flatMap(({ heading, voices }) =>
    voices === null ? [] : [`- ${escaped(heading)}: ${escaped(voices.text)}`],
  )
  return items.length > 0 ? [items.join('\n')] : []
}

const sectionOf = (
  { heading, voices, opening, quotations, context }: PreparedSection,
  labels: Labels,
): string[] => [
  `## ${escaped(heading)}`,
  ...(voices === null ? [] : [`*${escaped(voices.text)}*`]),
  ...paragraphsOf(opening, labels),
  ...quotations.map((one) => ('erased' in one ? `> ${erased(labels)}` : quotationOf(one, labels))),
  ...paragraphsOf(context, labels),
]

const paragraphsOf = (paragraphs: PreparedSection['opening'], labels: Labels): string[] =>
  paragraphs.map((one) => ('erased' in one ? erased(labels) : paragraphOf(one)))

const quotationOf = ({ text, attribution, href }: PreparedQuotation, labels: Labels): string =>
  `> ${escaped(text)}\n>\n> ${labels.dash} ${link(attribution.join(', '), href)}`

const paragraphOf = ({ text, citations }: PreparedParagraph): string =>
  [escaped(text), ...citations.map(({ label, href }) => `\\[${link(label, href)}\\]`)].join(' ')

const erased = ({ erased }: Labels): string => `*${escaped(`[${erased}]`)}*`

const conversationList = ({ conversations }: PreparedReport): string =>
  conversations
    .map(
      ({ number, name, facts, href }) => `${number}. ${[link(name, href), ...facts.map(escaped)].join(', ')}`,
    )
    .join('\n')

/** Markdown does not define anchors. */
const link = (text: string, href: string | null): string =>
  href === null || href.startsWith('#') ? escaped(text) : `[${escaped(text)}](<${destination(href)}>)`

/** A canonical URL has no angle bracket, but a backslash or `&copy;` in its query would be interpreted as CommonMark. */
const destination = (href: string): string => href.replaceAll('\\', '%5C').replaceAll('&', '&amp;')

/** Inline markup of CommonMark and its common extensions (tables, maths, footnotes, mail addresses). */
const INLINE = /[\\`*_[\]{}<>&~|$^=#@]/g
/** Text that extensions turn into links and images without markup: `https://…`, `www.…`, `:name:`. */
const BARE = /:(?=[/\p{L}_+-])|(?<=www)\./giu

/** Escapes a character only where it could be markup, so that the source stays readable. */
export function escaped(text: string): string {
  return (
    text
      .replace(INLINE, '\\$&')
      .replace(BARE, '\\$&')
      // At the start of a line these begin a list, a thematic break or a definition.
      .replace(/^[-+:!%]/, '\\$&')
      .replace(/^(\d+)([.)])/, '$1\\$2')
  )
}
