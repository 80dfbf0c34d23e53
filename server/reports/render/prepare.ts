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
import { type Words, wordsFor } from './words.ts'

/** A report as its renderings say it: every text plain, every link safe, every number given. They differ in markup alone. */
export interface PreparedReport {
  words: Words
  title: string
  project: string
  /** Project aside, what stands under the title: when it was made, and from how much. */
  facts: string
  /** How many conversations are not in it, and why. */
  leftOut: string | null
  /** How it was made; of nothing there is nothing to say. */
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
  marks: Mark[]
}

/** A small sign that names a place in a conversation. */
export interface Mark {
  label: string
  /** The same in words, for those who do not see it. */
  description: string
  href: string | null
}

export interface PreparedQuotation {
  /** With its quotation marks. */
  text: string
  /** Who, in which conversation, when: as far as it is known. */
  attribution: string[]
  href: string | null
}

export interface PreparedConversation {
  anchor: string
  number: number
  title: string
  /** Who and when. */
  facts: string[]
  href: string | null
}

export const CONVERSATIONS_ANCHOR = 'conversations'

export function prepare(document: ReportDocument): PreparedReport {
  const words = wordsFor(document.language)
  const numbers = numberConversations(document.conversations)
  const project = plain(document.project_name)
  return {
    words,
    title: plain(document.title) || project || document.id,
    project,
    facts: known(
      `${words.created} ${words.date(document.created_at)}`,
      words.basis(document.conversation_count),
      plain(document.model ?? ''),
    ).join(' · '),
    leftOut: document.left_out ? words.without(document.left_out) : null,
    notice: document.sections.length > 0 ? words[document.method] : null,
    introduction: paragraphsOf(document.introduction),
    sections: document.sections.map((section, at) =>
      prepareSection(withHeading(section, at === 0, words), at + 1, numbers, words),
    ),
    conversations: document.conversations.map((conversation, at) =>
      prepareConversation(conversation, at + 1, words),
    ),
  }
}

/** What no theme has taken up is called in our words. */
const withHeading = ({ heading, ...rest }: DocumentSection, isFirst: boolean, words: Words) => ({
  ...rest,
  heading: heading || (isFirst ? words.whatWasSaid : words.alsoSaid),
})

function prepareSection(
  { heading, paragraphs, quotations }: DocumentSection & { heading: string },
  number: number,
  numbers: ConversationNumbers,
  words: Words,
): PreparedSection {
  return {
    anchor: `section-${number}`,
    heading: plain(heading) || `§ ${number}`,
    paragraphs: paragraphs.flatMap<PreparedParagraph | Erased>((one) =>
      'erased' in one ? one : prepareParagraph(one, numbers, words),
    ),
    quotations: quotations.map((one) => ('erased' in one ? one : prepareQuotation(one, numbers, words))),
  }
}

/** Its marks stand behind the last of the paragraphs that a text with line breaks falls into. */
function prepareParagraph(
  { text, sources }: DocumentParagraph,
  numbers: ConversationNumbers,
  words: Words,
): PreparedParagraph[] {
  const texts = paragraphsOf(text)
  const marks = distinctSources(sources).map((source) => markOf(source, numbers, words))
  return texts.map((text, at) => ({ text, marks: at === texts.length - 1 ? marks : [] }))
}

function markOf(source: Source, numbers: ConversationNumbers, words: Words): Mark {
  const number = numbers.get(source.conversation_id)?.number
  const second = secondOf(source)
  const time = second === null ? null : words.time(second)
  return {
    label: known(number?.toString(), time).join(', ') || '?',
    description: [words.conversation, number, time === null ? null : `${words.at} ${time}`]
      .filter((part) => part != null)
      .join(' '),
    href: hrefOf(source),
  }
}

function prepareQuotation(
  { text, source }: DocumentQuotation,
  numbers: ConversationNumbers,
  words: Words,
): PreparedQuotation {
  const found = numbers.get(source.conversation_id)
  const second = secondOf(source)
  return {
    text: words.quoted(plain(text)),
    attribution: known(
      found && plain(found.conversation.participant ?? ''),
      found ? titleOf(found.conversation, found.number, words) : words.conversation,
      second === null ? null : words.time(second),
    ),
    href: hrefOf(source),
  }
}

function prepareConversation(
  conversation: DocumentConversation,
  number: number,
  words: Words,
): PreparedConversation {
  return {
    anchor: `conversation-${number}`,
    number,
    title: titleOf(conversation, number, words),
    facts: known(plain(conversation.participant ?? ''), words.date(conversation.started_at)),
    href: webUrl(conversation.url)?.href ?? null,
  }
}

const titleOf = ({ title }: DocumentConversation, number: number, words: Words): string =>
  plain(title ?? '') || `${words.conversation} ${number}`

const known = (...parts: (string | null | undefined)[]): string[] =>
  parts.filter((part) => !!part) as string[]
