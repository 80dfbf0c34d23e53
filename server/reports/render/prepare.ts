import { withoutMark } from '../../summaries/index.ts'
import { type Labels, labelsFor } from './labels.ts'
import { participantNames } from './participant-names.ts'
import { hrefOf, paragraphsOf, plain, secondOf, webUrl } from './plain-text.ts'
import type {
  DocumentParagraph,
  DocumentQuotation,
  DocumentSection,
  Erased,
  ReportDocument,
  Source,
} from './report-document.ts'
import { type SectionVoices, sectionVoices } from './section-voices.ts'

export type PreparedReport = ReturnType<typeof prepare>
export type PreparedSection = PreparedReport['sections'][number]
export type PreparedParagraph = Exclude<PreparedSection['opening'][number], Erased>
export type PreparedQuotation = Exclude<PreparedSection['quotations'][number], Erased>
export type Voices = NonNullable<PreparedSection['voices']>
export type PreparedConversation = PreparedReport['conversations'][number]

export const CONVERSATIONS_ANCHOR = 'conversations'
export const SOURCES_ANCHOR = 'sources'

/** A report ready for rendering: plain text, safe links, final numbers. The renderers differ only in markup. */
export function prepare(document: ReportDocument) {
  const labels = labelsFor(document.language)
  const project = plain(document.project_name)
  const people = participantNames(document.conversations, labels)
  const conversations = document.conversations.map(({ title, started_at, url }, at) => ({
    anchor: `conversation-${at + 1}`,
    /** The person's name, or a number: a title often repeats the quotation that it stands below. */
    ...(people[at] ?? { number: at + 1, name: '' }),
    facts: known(plain(title ?? ''), labels.date(started_at)),
    href: url === null ? null : (webUrl(url)?.href ?? null),
  }))
  /** A list of numbers and dates alone, as in a published report, would say nothing. */
  const isListed = document.conversations.some(({ title, participant, url }) => title || participant || url)
  const isExtract = document.method === 'extractive'
  const conversationOf = new Map(document.conversations.map(({ id }, at) => [id, conversations[at]]))
  const quoted = quotationsOf(document)
  const cited = citedLines(document, quoted)

  const prepareSource = (source: Source) => {
    const second = secondOf(source)
    // Without a link there is nothing to play at that time.
    const time = second === null || source.url === null ? null : labels.time(second)
    return { conversation: conversationOf.get(source.conversation_id), time }
  }

  /**
   * Without a URL, a source leads to its quotation, else to its line in the list of sources, else to the person. A selected sentence is
   * a quotation, so it leads only to its repetition.
   */
  const prepareCitation = (source: Source, selected: string | null) => {
    const { conversation, time } = prepareSource(source)
    const anchor =
      (selected === null ? anchorOf(source, quoted) : quoted.get(placeOf(source))?.get(selected)) ??
      cited.get(lineOf(source))?.anchor ??
      (isListed ? conversation?.anchor : null)
    const href = source.url === null ? (anchor ? `#${anchor}` : null) : hrefOf(source)
    return {
      label: known(conversation?.name ?? labels.conversation, time).join(', '),
      /** The same in words, for screen readers. */
      description: known(conversation?.name ?? labels.conversation, time && `${labels.at} ${time}`).join(' '),
      href,
    }
  }

  /**
   * A text with line breaks becomes several paragraphs; the last one carries the citations. The sentences of an extract are in the
   * words of a person, so they have quotation marks unless a member has changed them.
   */
  const prepareParagraph = ({ text, sources, own }: DocumentParagraph) => {
    const isSelected = isExtract && !own
    const texts = isSelected ? paragraphsOf(text).map(labels.quoted) : paragraphsOf(text)
    const citations = distinctSources(sources).map((one) => prepareCitation(one, isSelected ? text : null))
    return texts.map((text, at) => ({ text, citations: at === texts.length - 1 ? citations : [] }))
  }

  const prepareQuotation = ({ text, source }: DocumentQuotation) => {
    const { conversation, time } = prepareSource(source)
    return {
      anchor: quoted.get(placeOf(source))?.get(text) ?? '',
      /** With its quotation marks. */
      text: labels.quoted(plain(text)),
      /** Person and time, as far as known. */
      attribution: known(conversation?.name ?? labels.conversation, time),
      // A quotation that leads to itself would be of no use.
      href:
        source.url === null ? (conversation && isListed ? `#${conversation.anchor}` : null) : hrefOf(source),
    }
  }

  const prepareAll = (paragraphs: DocumentSection['paragraphs']) =>
    paragraphs.flatMap<Erased | ReturnType<typeof prepareParagraph>[number]>((one) =>
      'erased' in one ? one : prepareParagraph(one),
    )

  const prepareSection = (section: DocumentSection, at: number) => {
    const { heading, paragraphs, quotations } = section
    const opening = isExtract ? openingLength(paragraphs) : paragraphs.length
    return {
      anchor: `section-${at + 1}`,
      heading: plain(heading || (at === 0 ? labels.whatWasSaid : labels.alsoSaid)) || `§ ${at + 1}`,
      /** How many people speak about it. Null in a report without themes. */
      voices: shownVoices(sectionVoices(section, at), document.conversation_count, labels),
      /** The paragraphs before the quotations. In an extract, its sentences only add to the quotations, so they follow them. */
      opening: prepareAll(paragraphs.slice(0, opening)),
      quotations: quotations.map((one) => ('erased' in one ? one : prepareQuotation(one))),
      context: prepareAll(paragraphs.slice(opening)),
    }
  }

  const period = labels.period(document.conversations.map(({ started_at }) => started_at))
  return {
    labels,
    title: plain(document.title) || project || '…',
    project,
    /** The line below the title: number of people, dates, model. */
    facts: known(
      labels.peopleCount(document.conversation_count),
      period && `${labels.recorded} ${period}`,
      `${labels.created} ${labels.date(document.created_at)}`,
      plain(document.model ?? ''),
    ).join(' · '),
    /** How many conversations were left out, by reason. */
    leftOut: document.left_out ? labels.leftOutText(document.left_out) : null,
    /** How the report was made. Null for a report without sections. */
    notice: document.sections.length > 0 ? noticeOf(document, labels) : null,
    // The introduction of an extract says the same as the notice.
    introduction:
      isExtract && document.sections.length > 0 && !document.own_introduction
        ? []
        : paragraphsOf(document.introduction),
    sections: document.sections.map(prepareSection),
    /** The cited passages of a published report, except those that it quotes. */
    sources: [...cited.values()].map(({ anchor, source, text }) => {
      const { conversation, time } = prepareSource(source)
      const attribution = known(conversation?.name ?? labels.conversation, time)
      return {
        anchor,
        text: labels.quoted(plain(text)),
        attribution,
        href: conversation && isListed ? `#${conversation.anchor}` : null,
      }
    }),
    /** Empty if there is nothing to say about them. */
    conversations: isListed ? conversations : [],
  }
}

/** How many paragraphs at the beginning a member wrote: they introduce the quotations of an extract. */
function openingLength(paragraphs: DocumentSection['paragraphs']): number {
  const first = paragraphs.findIndex((one) => 'erased' in one || !one.own || one.sources.length > 0)
  return first < 0 ? paragraphs.length : first
}

function noticeOf({ method, conversations, edited }: ReportDocument, labels: Labels): string {
  if (edited) return method === 'extractive' ? labels.edited : `${labels.edited} ${labels.generative}`
  return method === 'extractive' && conversations.some(({ url }) => url !== null)
    ? `${labels.extractive} ${labels.extractiveLinks}`
    : labels[method]
}

/** All texts that a person wrote have the same place. */
const placeOf = (source: Source): string => `${source.conversation_id} ${secondOf(source)}`
const lineOf = (source: Source): string => `${placeOf(source)} ${source.text ?? ''}`

/** The lines that are cited without a URL and not quoted elsewhere, in the order of the people. */
function citedLines({ sections, conversations }: ReportDocument, quoted: QuotationAnchors) {
  const order = new Map(conversations.map(({ id }, at) => [id, at]))
  const orderOf = ({ conversation_id }: Source): number => order.get(conversation_id) ?? conversations.length
  const lines = sections
    .flatMap(({ paragraphs }) =>
      paragraphs.flatMap((one) => ('erased' in one ? [] : distinctSources(one.sources))),
    )
    .flatMap((source) => (source.url === null && source.text ? [{ source, text: source.text }] : []))
    .filter(({ source }) => anchorOf(source, quoted) === undefined)
    .toSorted(
      (a, b) => orderOf(a.source) - orderOf(b.source) || (a.source.start_ms ?? 0) - (b.source.start_ms ?? 0),
    )
  const distinct = new Map(lines.map((line) => [lineOf(line.source), line]))
  return new Map([...distinct].map(([key, line], at) => [key, { ...line, anchor: `source-${at + 1}` }]))
}

/** The anchors of the quotations, by place and text. The first of equal quotations counts. */
type QuotationAnchors = ReadonlyMap<string, ReadonlyMap<string, string>>

function quotationsOf({ sections }: ReportDocument): QuotationAnchors {
  const quotations = sections.flatMap(({ quotations }) =>
    quotations.flatMap((one) => ('erased' in one ? [] : one)),
  )
  const anchors = new Map<string, Map<string, string>>()
  for (const [at, { source, text }] of quotations.entries()) {
    const texts = anchors.get(placeOf(source)) ?? new Map<string, string>()
    if (!texts.has(text)) texts.set(text, `quotation-${at + 1}`)
    anchors.set(placeOf(source), texts)
  }
  return anchors
}

/** The quotation from the text that the source names. Sources of older reports have no text: the first one at their place counts. */
const anchorOf = (source: Source, quoted: QuotationAnchors): string | undefined =>
  quoted
    .get(placeOf(source))
    ?.entries()
    .find(([text]) => source.text === undefined || source.text.includes(withoutMark(text)))?.[1]

function shownVoices(voices: SectionVoices | null, people: number, labels: Labels) {
  if (voices === null || people === 0) return null
  const label = labels.ofPeople(voices.all, people)
  const sides = [
    ...(voices.for > 0 ? [labels.inFavour(voices.for)] : []),
    ...(voices.against > 0 ? [labels.against(voices.against)] : []),
  ]
  return { count: voices.all, of: people, label, text: [label, ...sides].join(' · ') }
}

/** Removes duplicates: one sentence can rest on several utterances of the same second. Written texts have no second. */
const distinctSources = (sources: readonly Source[]): Source[] =>
  Map.groupBy(sources, (one) => (one.url === null && one.start_ms === null ? lineOf(one) : placeOf(one)))
    .values()
    .flatMap(([first]) => (first ? [first] : []))
    .toArray()

const known = (...parts: (string | null | undefined)[]): string[] =>
  parts.filter((part) => !!part) as string[]
