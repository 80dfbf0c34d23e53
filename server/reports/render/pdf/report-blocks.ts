import {
  CONVERSATIONS_ANCHOR,
  type PreparedConversation,
  type PreparedParagraph,
  type PreparedQuotation,
  type PreparedReport,
  type PreparedSection,
  SOURCES_ANCHOR,
} from '../prepare.ts'
import type { Block, BlockBuilder } from './blocks.ts'
import { isolated, type Link, type Span } from './text-measurer.ts'
import { COLUMN, METER, STYLES } from './theme.ts'

const NOTICE_INDENT = 14
const QUOTATION_INDENT = 16
/** Reserved for the page number of an entry, so that headings never overlap it. */
const PAGE_NUMBER_WIDTH = 44

/** The title, the themes with their counts and pages, the notices and the introduction. */
export function openingBlocks(
  report: PreparedReport,
  builder: BlockBuilder,
  pageOf: (anchor: string) => number,
  pageCount: number,
): Block[] {
  const { labels, project, title, facts, leftOut, notice } = report
  const align = labels.direction
  const noticeOf = (text: string, spaceBefore: number): Block =>
    builder.text(text, STYLES.notice, spaceBefore, { indent: NOTICE_INDENT, bar: 'notice' })
  const entries: Entry[] = report.sections
  const last: Entry[] =
    report.conversations.length > 0
      ? [{ anchor: CONVERSATIONS_ANCHOR, heading: labels.conversations, voices: null }]
      : []
  const themesHeading = (): Block =>
    builder.text(labels.themes, STYLES.themes, 26, {
      align,
      roles: ['H2'],
      keepWithNext: true,
      destination: { anchor: 'themes', title: labels.themes },
    })
  return [
    ...(project ? [builder.text(project, STYLES.project, 0)] : []),
    builder.title(title, STYLES.title, 8),
    builder.text(facts, STYLES.facts, 12, { align }),
    ...(leftOut === null ? [] : [builder.text(leftOut, STYLES.facts, 4, { align })]),
    ...(entries.length + last.length > 0 ? [themesHeading()] : []),
    ...[...entries, ...last].map((entry) => {
      const page = pageOf(entry.anchor)
      const description = `${entry.heading}, ${labels.page(page, pageCount)}`
      return themeEntry(entry, page, { href: `#${entry.anchor}`, description }, builder)
    }),
    ...(notice === null ? [] : [noticeOf(notice, 26)]),
    ...(builder.measurer.hasMissingCharacters ? [noticeOf(labels.notInFontNotice, 10)] : []),
    ...report.introduction.map((text, at) => builder.text(text, STYLES.lead, at === 0 ? 22 : 9)),
  ]
}

type Entry = Pick<PreparedSection, 'anchor' | 'heading' | 'voices'>

function themeEntry({ heading, voices }: Entry, page: number, link: Link, builder: BlockBuilder): Block {
  const align = builder.labels.direction
  const rtl = align === 'rtl'
  const format = { style: STYLES.entry, link }
  const lines = builder.linesBefore(PAGE_NUMBER_WIDTH, [{ text: heading, ...format }], align)
  const last = lines.at(-1) ?? { runs: [], leading: STYLES.entry.leading }
  const edges = last.runs.map((run) => (rtl ? run.x : run.x + run.width))
  const textEnd = rtl ? Math.min(COLUMN, ...edges) : Math.max(0, ...edges)
  const number = builder.pageNumber({ text: String(page), ...format })
  last.runs.push(number)
  const [from, to] = rtl ? [number.x + number.width, textEnd] : [textEnd, number.x]
  const counted =
    voices === null
      ? []
      : builder.linesAfter(
          METER.width + METER.gap,
          [{ text: voices.label, style: STYLES.attribution }],
          align,
        )
  const [beside] = counted
  return {
    lines: [...lines, ...counted],
    spaceBefore: voices === null ? 6 : 7,
    indent: 0,
    align,
    roles: ['TOCI'],
    group: 'TOC',
    widows: lines.length + counted.length,
    leader: { line: last, from: from + 6, to: to - 6 },
    ...(voices && beside && { meter: { line: beside, share: voices.count / voices.of } }),
  }
}

export function sectionBlocks(section: PreparedSection, builder: BlockBuilder): Block[] {
  const erased = (spaceBefore: number, more?: Partial<Block>): Block =>
    builder.text(`[${builder.labels.erased}]`, STYLES.erased, spaceBefore, more)
  return [
    builder.heading(section.heading, section.anchor),
    ...(section.voices === null
      ? []
      : [
          builder.text(section.voices.text, STYLES.facts, 2, {
            align: builder.labels.direction,
            keepWithNext: true,
          }),
        ]),
    ...section.opening.map((one) => ('erased' in one ? erased(8) : paragraphBlock(one, 8, builder))),
    ...section.quotations.map((one) =>
      'erased' in one
        ? erased(13, { indent: QUOTATION_INDENT, bar: 'quotation' })
        : quotationBlock(one, builder),
    ),
    ...section.context.map((one, at) => {
      const spaceBefore = at === 0 && section.quotations.length > 0 ? 13 : 8
      return 'erased' in one ? erased(spaceBefore) : paragraphBlock(one, spaceBefore, builder)
    }),
  ]
}

function paragraphBlock(
  { text, citations }: PreparedParagraph,
  spaceBefore: number,
  builder: BlockBuilder,
): Block {
  const marks = citations.flatMap(({ label, description, href }) => [
    { text: ' ', style: STYLES.body },
    isolated({
      text: `[${label.replaceAll(' ', '\u00a0')}]`,
      style: STYLES.citation,
      ...linkTo(href, description),
    }),
  ])
  return builder.block([{ text, style: STYLES.body }, ...marks], spaceBefore)
}

function quotationBlock(
  { anchor, text, attribution, href }: PreparedQuotation,
  builder: BlockBuilder,
): Block {
  const link = linkTo(href, attribution.join(', '))
  const indent = QUOTATION_INDENT
  const quotation = builder.block([{ text, style: STYLES.quotation, ...link }], 13, { indent })
  const format = { style: STYLES.attribution, ...link }
  const spans = attribution.flatMap((part, at) => [
    { text: at === 0 ? `${builder.labels.dash} ` : ', ', ...format },
    isolated({ text: part, ...format }),
  ])
  const attributionLines = builder.lines(spans, indent, quotation.align)
  return {
    ...quotation,
    lines: [...quotation.lines, ...attributionLines],
    roles: ['BlockQuote', 'P'],
    keepTogether: true,
    widows: attributionLines.length + 2,
    bar: 'quotation',
    destination: { anchor, title: null },
  }
}

/** The cited passages of a published report, to which its citations lead. */
export function sourceBlocks({ sources, labels }: PreparedReport, builder: BlockBuilder): Block[] {
  if (sources.length === 0) return []
  return [
    builder.heading(labels.sources, SOURCES_ANCHOR),
    ...sources.map((source) => quotationBlock(source, builder)),
  ]
}

/** The list at the end, by the numbers that the citations use. */
export function conversationBlocks(
  { conversations, labels }: PreparedReport,
  builder: BlockBuilder,
): Block[] {
  if (conversations.length === 0) return []
  const heading = builder.heading(labels.conversations, CONVERSATIONS_ANCHOR)
  return [heading, ...conversations.map((conversation) => conversationBlock(conversation, builder))]
}

function conversationBlock(
  { anchor, number, name, facts, href }: PreparedConversation,
  builder: BlockBuilder,
): Block {
  const style = STYLES.listedFacts
  const spans: Span[] = [
    { text: `${number}. `, style },
    isolated({ text: name, style: STYLES.listed, ...linkTo(href, name) }),
    ...facts.flatMap((fact) => [{ text: ', ', style }, isolated({ text: fact, style })]),
  ]
  return builder.block(spans, 5, { roles: ['LI', 'LBody'], group: 'L', destination: { anchor, title: null } })
}

const linkTo = (href: string | null, description: string): Pick<Span, 'link'> =>
  href === null ? {} : { link: { href, description } }
