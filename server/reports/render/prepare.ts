import { labelsFor } from './labels.ts'
import { hrefOf, paragraphsOf, plain, secondOf, webUrl } from './plain-text.ts'
import type {
  DocumentParagraph,
  DocumentQuotation,
  DocumentSection,
  Erased,
  ReportDocument,
  Source,
} from './report-document.ts'

export type PreparedReport = ReturnType<typeof prepare>
export type PreparedSection = PreparedReport['sections'][number]
export type PreparedParagraph = Exclude<PreparedSection['paragraphs'][number], Erased>
export type PreparedQuotation = Exclude<PreparedSection['quotations'][number], Erased>
export type PreparedConversation = PreparedReport['conversations'][number]

export const CONVERSATIONS_ANCHOR = 'conversations'

/** A report ready for rendering: plain text, safe links, final numbers. The renderers differ only in markup. */
export function prepare(document: ReportDocument) {
  const labels = labelsFor(document.language)
  const project = plain(document.project_name)
  const conversations = document.conversations.map(({ title, participant, started_at, url }, at) => ({
    anchor: `conversation-${at + 1}`,
    number: at + 1,
    title: plain(title ?? '') || `${labels.conversation} ${at + 1}`,
    participant: plain(participant ?? ''),
    /** Participant and date. */
    facts: known(plain(participant ?? ''), labels.date(started_at)),
    href: webUrl(url)?.href ?? null,
  }))
  const conversationOf = new Map(document.conversations.map(({ id }, at) => [id, conversations[at]]))

  const prepareSource = (source: Source) => {
    const second = secondOf(source)
    const time = second === null ? null : labels.time(second)
    return { conversation: conversationOf.get(source.conversation_id), time, href: hrefOf(source) }
  }

  const prepareCitation = (source: Source) => {
    const { conversation, time, href } = prepareSource(source)
    const number = conversation?.number.toString()
    return {
      label: known(number, time).join(', ') || '?',
      /** The same in words, for screen readers. */
      description: known(labels.conversation, number, time && `${labels.at} ${time}`).join(' '),
      href,
    }
  }

  /** A text with line breaks becomes several paragraphs; the last one carries the citations. */
  const prepareParagraph = ({ text, sources }: DocumentParagraph) => {
    const texts = paragraphsOf(text)
    const citations = distinctSources(sources).map(prepareCitation)
    return texts.map((text, at) => ({ text, citations: at === texts.length - 1 ? citations : [] }))
  }

  const prepareQuotation = ({ text, source }: DocumentQuotation) => {
    const { conversation, time, href } = prepareSource(source)
    return {
      /** With its quotation marks. */
      text: labels.quoted(plain(text)),
      /** Participant, conversation and time, as far as known. */
      attribution: known(conversation?.participant, conversation?.title ?? labels.conversation, time),
      href,
    }
  }

  const prepareSection = ({ heading, paragraphs, quotations }: DocumentSection, at: number) => ({
    anchor: `section-${at + 1}`,
    heading: plain(heading || (at === 0 ? labels.whatWasSaid : labels.alsoSaid)) || `§ ${at + 1}`,
    paragraphs: paragraphs.flatMap<Erased | ReturnType<typeof prepareParagraph>[number]>((one) =>
      'erased' in one ? one : prepareParagraph(one),
    ),
    quotations: quotations.map((one) => ('erased' in one ? one : prepareQuotation(one))),
  })

  return {
    labels,
    title: plain(document.title) || project || document.id,
    project,
    /** The line below the title: creation date, number of conversations, model. */
    facts: known(
      `${labels.created} ${labels.date(document.created_at)}`,
      labels.basis(document.conversation_count),
      plain(document.model ?? ''),
    ).join(' · '),
    /** How many conversations were left out, by reason. */
    leftOut: document.left_out ? labels.leftOutText(document.left_out) : null,
    /** How the report was made. Null for a report without sections. */
    notice: document.sections.length > 0 ? labels[document.method] : null,
    introduction: paragraphsOf(document.introduction),
    sections: document.sections.map(prepareSection),
    conversations,
  }
}

/** Removes duplicates: one sentence can rest on several utterances of the same second. */
const distinctSources = (sources: readonly Source[]): Source[] =>
  Map.groupBy(sources, (source) => `${source.conversation_id} ${secondOf(source)}`)
    .values()
    .flatMap(([first]) => (first ? [first] : []))
    .toArray()

const known = (...parts: (string | null | undefined)[]): string[] =>
  parts.filter((part) => !!part) as string[]
