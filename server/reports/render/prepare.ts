import { type Labels, labelsFor } from './labels.ts'
import { hrefOf, paragraphsOf, plain, webUrl } from './plain-text.ts'
import {
  type ConversationNumbers,
  type DocumentConversation,
  type DocumentParagraph,
  type DocumentQuotation,
  type DocumentSection,
  distinctSources,
  type Erased,
  numberConversations,
  type ReportDocument,
  type Source,
  secondOf,
} from './report-document.ts'

/** A report ready for rendering: plain text, safe links, final numbers. The renderers differ only in markup. */
export interface PreparedReport {
  labels: Labels
  title: string
  project: string
  /** The line below the title: creation date, number of conversations, model. */
  facts: string
  /** How many conversations were left out, by reason. */
  leftOut: string | null
  /** How the report was made. Null for a report without sections. */
  notice: string | null
  introduction: string[]
  sections: PreparedSection[]
  conversations: PreparedConversation[]
}

export interface PreparedSection {
  anchor: string
  heading: string
  paragraphs: (PreparedParagraph | Erased)[]
  quotations: (PreparedQuotation | Erased)[]
}

export interface PreparedParagraph {
  text: string
  citations: Citation[]
}

/** A short reference to a position in a conversation. */
export interface Citation {
  label: string
  /** The same in words, for screen readers. */
  description: string
  href: string | null
}

export interface PreparedQuotation {
  /** With its quotation marks. */
  text: string
  /** Participant, conversation and time, as far as known. */
  attribution: string[]
  href: string | null
}

export interface PreparedConversation {
  anchor: string
  number: number
  title: string
  /** Participant and date. */
  facts: string[]
  href: string | null
}

export const CONVERSATIONS_ANCHOR = 'conversations'

export function prepare(document: ReportDocument): PreparedReport {
  const labels = labelsFor(document.language)
  const numbers = numberConversations(document.conversations)
  const project = plain(document.project_name)
  return {
    labels,
    title: plain(document.title) || project || document.id,
    project,
    facts: known(
      `${labels.created} ${labels.date(document.created_at)}`,
      labels.basis(document.conversation_count),
      plain(document.model ?? ''),
    ).join(' · '),
    leftOut: document.left_out ? labels.leftOutText(document.left_out) : null,
    notice: document.sections.length > 0 ? labels[document.method] : null,
    introduction: paragraphsOf(document.introduction),
    sections: document.sections.map((section, at) =>
      prepareSection(withHeading(section, at === 0, labels), at + 1, numbers, labels),
    ),
    conversations: document.conversations.map((conversation, at) =>
      prepareConversation(conversation, at + 1, labels),
    ),
  }
}

/** Statements that belong to no theme have no heading of their own. */
const withHeading = ({ heading, ...rest }: DocumentSection, isFirst: boolean, labels: Labels) => ({
  ...rest,
  heading: heading || (isFirst ? labels.whatWasSaid : labels.alsoSaid),
})

function prepareSection(
  { heading, paragraphs, quotations }: DocumentSection & { heading: string },
  number: number,
  numbers: ConversationNumbers,
  labels: Labels,
): PreparedSection {
  return {
    anchor: `section-${number}`,
    heading: plain(heading) || `§ ${number}`,
    paragraphs: paragraphs.flatMap<PreparedParagraph | Erased>((one) =>
      'erased' in one ? one : prepareParagraph(one, numbers, labels),
    ),
    quotations: quotations.map((one) => ('erased' in one ? one : prepareQuotation(one, numbers, labels))),
  }
}

/** A text with line breaks becomes several paragraphs; the last one carries the citations. */
function prepareParagraph(
  { text, sources }: DocumentParagraph,
  numbers: ConversationNumbers,
  labels: Labels,
): PreparedParagraph[] {
  const texts = paragraphsOf(text)
  const citations = distinctSources(sources).map((source) => prepareCitation(source, numbers, labels))
  return texts.map((text, at) => ({ text, citations: at === texts.length - 1 ? citations : [] }))
}

function prepareCitation(source: Source, numbers: ConversationNumbers, labels: Labels): Citation {
  const number = numbers.get(source.conversation_id)?.number
  const second = secondOf(source)
  const time = second === null ? null : labels.time(second)
  return {
    label: known(number?.toString(), time).join(', ') || '?',
    description: [labels.conversation, number, time === null ? null : `${labels.at} ${time}`]
      .filter((part) => part != null)
      .join(' '),
    href: hrefOf(source),
  }
}

function prepareQuotation(
  { text, source }: DocumentQuotation,
  numbers: ConversationNumbers,
  labels: Labels,
): PreparedQuotation {
  const found = numbers.get(source.conversation_id)
  const second = secondOf(source)
  return {
    text: labels.quoted(plain(text)),
    attribution: known(
      found && plain(found.conversation.participant ?? ''),
      found ? titleOf(found.conversation, found.number, labels) : labels.conversation,
      second === null ? null : labels.time(second),
    ),
    href: hrefOf(source),
  }
}

function prepareConversation(
  conversation: DocumentConversation,
  number: number,
  labels: Labels,
): PreparedConversation {
  return {
    anchor: `conversation-${number}`,
    number,
    title: titleOf(conversation, number, labels),
    facts: known(plain(conversation.participant ?? ''), labels.date(conversation.started_at)),
    href: webUrl(conversation.url)?.href ?? null,
  }
}

const titleOf = ({ title }: DocumentConversation, number: number, labels: Labels): string =>
  plain(title ?? '') || `${labels.conversation} ${number}`

const known = (...parts: (string | null | undefined)[]): string[] =>
  parts.filter((part) => !!part) as string[]
