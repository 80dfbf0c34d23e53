import type {
  DocumentConversation,
  DocumentSection,
  Position,
  ReportDocument,
  Source,
} from './render/report-document.ts'

/** Links are not stored but added by `linkedDocument`, because the public URL can change. */
export type StoredDocument = Omit<ReportDocument, 'sections' | 'conversations' | 'project_name'> & {
  /** Whether a user chose the title. */
  own_title: boolean
  sections: DocumentSection<Position>[]
  conversations: Omit<DocumentConversation, 'url'>[]
}

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
  const link = (position: Position): Source => ({ ...position, url: pageOf(position.conversation_id) })
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

/** All text of the sections, and the titles of the conversations. */
const textsOf = ({ sections, conversations }: StoredDocument): string =>
  [
    ...sections.flatMap(({ paragraphs, quotations }) =>
      [...paragraphs, ...quotations].flatMap((one) => ('erased' in one ? [] : [one.text])),
    ),
    ...conversations.map(({ title }) => title ?? ''),
  ].join('\n')

/**
 * Replaces passages from one conversation with `erased`. Headings and a generated title lose words that no remaining passage has.
 * An introduction by a language model is removed, because it can rest on any conversation.
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
  const left_out = stored.left_out && {
    ...stored.left_out,
    erased: stored.left_out.erased + stored.conversations.length - conversations.length,
  }
  const known = wordsOf(textsOf({ ...stored, sections, conversations }))
  return {
    ...stored,
    conversations,
    conversation_count: conversations.length,
    ...(left_out && { left_out }),
    title: stored.own_title ? stored.title : keepKnown(stored.title, known),
    introduction: stored.method === 'generative' ? '' : stored.introduction,
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
