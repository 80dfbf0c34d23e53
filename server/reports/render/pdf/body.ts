import type { Labels } from '../labels.ts'
import {
  CONVERSATIONS_ANCHOR,
  type PreparedConversation,
  type PreparedParagraph,
  type PreparedQuotation,
  type PreparedReport,
  type PreparedSection,
} from '../prepare.ts'
import type { Block, BlockBuilder } from './blocks.ts'
import { isolated, type Span } from './text-measurer.ts'
import { STYLES } from './theme.ts'

const QUOTATION_INDENT = 16

export const sectionBlocks = (section: PreparedSection, labels: Labels, builder: BlockBuilder): Block[] => [
  builder.heading(section.heading, section.anchor),
  ...section.paragraphs.map((one) =>
    'erased' in one ? erasedParagraph(labels, builder) : paragraphBlock(one, builder),
  ),
  ...section.quotations.map((one) =>
    'erased' in one ? erasedQuotation(labels, builder) : quotationBlock(one, labels, builder),
  ),
]

function paragraphBlock({ text, citations }: PreparedParagraph, builder: BlockBuilder): Block {
  const spans: Span[] = [{ text, style: STYLES.body }]
  for (const { label, description, href } of citations)
    spans.push(
      { text: ' ', style: STYLES.body },
      isolated({
        text: `[${label.replaceAll(' ', '\u00a0')}]`,
        style: STYLES.citation,
        ...linkTo(href, description),
      }),
    )
  return builder.block(spans, 8)
}

function quotationBlock(
  { text, attribution, href }: PreparedQuotation,
  labels: Labels,
  builder: BlockBuilder,
): Block {
  const link = linkTo(href, attribution.join(', '))
  const quotation = builder.block([{ text, style: STYLES.quotation, ...link }], 13, {
    indent: QUOTATION_INDENT,
  })
  const format = { style: STYLES.attribution, ...link }
  const spans = attribution.flatMap((part, at) => [
    { text: at === 0 ? `${labels.dash} ` : ', ', ...format },
    isolated({ text: part, ...format }),
  ])
  const attributionLines = builder.lines(spans, QUOTATION_INDENT, quotation.align)
  return {
    ...quotation,
    lines: [...quotation.lines, ...attributionLines],
    roles: ['BlockQuote', 'P'],
    keepTogether: true,
    widows: attributionLines.length + 2,
    bar: 'quotation',
  }
}

const erasedParagraph = ({ erased }: Labels, builder: BlockBuilder): Block =>
  builder.text(`[${erased}]`, STYLES.erased, 8)

const erasedQuotation = ({ erased }: Labels, builder: BlockBuilder): Block => ({
  ...builder.text(`[${erased}]`, STYLES.erased, 13, { indent: QUOTATION_INDENT }),
  bar: 'quotation',
})

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
  { number, title, facts, href }: PreparedConversation,
  builder: BlockBuilder,
): Block {
  const format = { style: STYLES.listedFacts }
  const spans: Span[] = [
    { text: `${number}. `, ...format },
    isolated({ text: title, style: STYLES.listed, ...linkTo(href, title) }),
    ...facts.flatMap((fact) => [{ text: ', ', ...format }, isolated({ text: fact, ...format })]),
  ]
  return { ...builder.block(spans, 5), roles: ['LI', 'LBody'], group: 'L' }
}

const linkTo = (href: string | null, description: string): Pick<Span, 'link'> =>
  href === null ? {} : { link: { href, description } }
