import {
  CONVERSATIONS_ANCHOR,
  type PreparedConversation,
  type PreparedParagraph,
  type PreparedQuotation,
  type PreparedReport,
  type PreparedSection,
} from '../prepare.ts'
import type { Words } from '../words.ts'
import type { Block, Blocks } from './blocks.ts'
import { STYLES } from './theme.ts'
import { isolated, type Span } from './typesetter.ts'

const QUOTATION_INSET = 16

export const sectionOf = (section: PreparedSection, words: Words, blocks: Blocks): Block[] => [
  blocks.heading(section.heading, section.anchor),
  ...section.paragraphs.map((one) =>
    'erased' in one ? erasedParagraph(words, blocks) : paragraphOf(one, blocks),
  ),
  ...section.quotations.map((one) =>
    'erased' in one ? erasedQuotation(words, blocks) : quotationOf(one, words, blocks),
  ),
]

function paragraphOf({ text, marks }: PreparedParagraph, blocks: Blocks): Block {
  const spans: Span[] = [{ text, style: STYLES.body }]
  for (const { label, description, href } of marks)
    spans.push(
      { text: ' ', style: STYLES.body },
      isolated({
        text: `[${label.replaceAll(' ', '\u00a0')}]`,
        style: STYLES.mark,
        ...linkTo(href, description),
      }),
    )
  return blocks.block(spans, 8)
}

function quotationOf({ text, attribution, href }: PreparedQuotation, words: Words, blocks: Blocks): Block {
  const link = linkTo(href, attribution.join(', '))
  const said = blocks.block([{ text, style: STYLES.quotation, ...link }], 13, { inset: QUOTATION_INSET })
  const look = { style: STYLES.attribution, ...link }
  const from = attribution.flatMap((part, at) => [
    { text: at === 0 ? `${words.dash} ` : ', ', ...look },
    isolated({ text: part, ...look }),
  ])
  const signed = blocks.lines(from, QUOTATION_INSET, said.align)
  return {
    ...said,
    lines: [...said.lines, ...signed],
    roles: ['BlockQuote', 'P'],
    whole: true,
    tail: signed.length + 2,
    bar: 'quotation',
  }
}

const erasedParagraph = ({ erased }: Words, blocks: Blocks): Block =>
  blocks.text(`[${erased}]`, STYLES.erased, 8)

const erasedQuotation = ({ erased }: Words, blocks: Blocks): Block => ({
  ...blocks.text(`[${erased}]`, STYLES.erased, 13, { inset: QUOTATION_INSET }),
  bar: 'quotation',
})

/** At the end, the conversations under the numbers that the marks name. */
export function conversationsOf({ conversations, words }: PreparedReport, blocks: Blocks): Block[] {
  if (conversations.length === 0) return []
  const heading = blocks.heading(words.conversations, CONVERSATIONS_ANCHOR)
  return [heading, ...conversations.map((conversation) => conversationOf(conversation, blocks))]
}

function conversationOf({ number, title, facts, href }: PreparedConversation, blocks: Blocks): Block {
  const soft = { style: STYLES.listedFacts }
  const spans: Span[] = [
    { text: `${number}. `, ...soft },
    isolated({ text: title, style: STYLES.listed, ...linkTo(href, title) }),
    ...facts.flatMap((fact) => [{ text: ', ', ...soft }, isolated({ text: fact, ...soft })]),
  ]
  return { ...blocks.block(spans, 5), roles: ['LI', 'LBody'], group: 'L' }
}

const linkTo = (href: string | null, description: string): Pick<Span, 'link'> =>
  href === null ? {} : { link: { href, description } }
