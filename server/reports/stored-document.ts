import type { DocumentSection, ReportDocument, Source } from './render/report-document.ts'

/** As it is stored: addresses are made when it is shown, since they may change. */
export type StoredDocument = Omit<ReportDocument, 'sections' | 'conversations' | 'project_name'> & {
  /** Whether somebody chose the title. */
  own_title: boolean
  sections: Unlinked<DocumentSection>[]
  conversations: Omit<ReportDocument['conversations'][number], 'url'>[]
}

type Unlinked<T> = T extends Source
  ? Omit<T, 'url'>
  : T extends (infer E)[]
    ? Unlinked<E>[]
    : T extends object
      ? { [K in keyof T]: Unlinked<T[K]> }
      : T

type Place = Omit<Source, 'url'>

interface Audience {
  publicUrl: string
  project: { id: string; name: string }
  forPublic: boolean
}

/** Adds links to conversations. `forPublic` leaves the names of speakers out. */
export function linkedDocument(
  stored: StoredDocument,
  { publicUrl, project, forPublic }: Audience,
): ReportDocument {
  const pageOf = (id: string) => `${publicUrl}/projects/${project.id}/conversations/${id}`
  const link = (place: Place): Source => ({ ...place, url: pageOf(place.conversation_id) })
  return {
    ...stored,
    project_name: project.name,
    sections: stored.sections.map(({ heading, paragraphs, quotations }) => ({
      heading,
      paragraphs: paragraphs.map((one) =>
        'erased' in one ? one : { ...one, sources: one.sources.map(link) },
      ),
      quotations: quotations.map((one) => ('erased' in one ? one : { ...one, source: link(one.source) })),
    })),
    conversations: stored.conversations.map((one) => ({
      ...one,
      participant: forPublic ? null : one.participant,
      url: pageOf(one.id),
    })),
  }
}

/** Everything that stands in it, as one text. */
const textsOf = ({ sections, conversations }: StoredDocument): string =>
  [
    ...sections.flatMap(({ paragraphs, quotations }) =>
      [...paragraphs, ...quotations].flatMap((one) => ('erased' in one ? [] : [one.text])),
    ),
    ...conversations.map(({ title }) => title ?? ''),
  ].join('\n')

/**
 * Without what one conversation said: passages that rest on it give way to a mark. Headings, and a generated title,
 * are made of words from everywhere: those that stand nowhere else go too. An introduction that was written about it can't
 * be told apart, and goes as a whole; the words of an automatic extract name no one.
 */
export function withoutConversation(stored: StoredDocument, id: string): StoredDocument {
  const erased = { erased: true } as const
  const sections = stored.sections.map(({ heading, paragraphs, quotations }) => ({
    heading,
    paragraphs: paragraphs.map((one) =>
      !('erased' in one) && one.sources.some(({ conversation_id }) => conversation_id === id) ? erased : one,
    ),
    quotations: quotations.map((one) =>
      !('erased' in one) && one.source.conversation_id === id ? erased : one,
    ),
  }))
  const conversations = stored.conversations.filter((one) => one.id !== id)
  const rest = {
    ...stored,
    sections,
    conversations,
    conversation_count: conversations.length,
    ...(stored.left_out && {
      left_out: {
        ...stored.left_out,
        erased: stored.left_out.erased + stored.conversations.length - conversations.length,
      },
    }),
  }
  const known = wordsOf(textsOf(rest))
  return {
    ...rest,
    title: stored.own_title ? rest.title : keepKnown(rest.title, known),
    introduction: stored.method === 'generative' ? '' : rest.introduction,
    sections: sections.map((section) => ({
      ...section,
      heading: section.heading && keepKnown(section.heading, known),
    })),
  }
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })
const wordsOf = (text: string): Set<string> =>
  new Set(Array.from(segmenter.segment(text.toLowerCase()), ({ segment }) => segment))

const NOTHING_LEFT = '…'

function keepKnown(text: string, known: Set<string>): string {
  const kept = Array.from(segmenter.segment(text))
    .filter(({ segment, isWordLike }) => !isWordLike || known.has(segment.toLowerCase()))
    .map(({ segment }) => segment)
    .join('')
  return /\p{L}|\p{N}/u.test(kept) ? kept.trim() : NOTHING_LEFT
}
