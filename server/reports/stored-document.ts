import { lazy } from '../lazy.ts'
import type { Fallback } from '../summaries/index.ts'
import type {
  DocumentConversation,
  DocumentSection,
  Position,
  ReportDocument,
  Source,
} from './render/report-document.ts'

/** Links are not stored but added when it is rendered, because the public URL can change. */
export type StoredDocument = Omit<ReportDocument, 'sections' | 'conversations' | 'project_name'> & {
  /** Whether a user chose the title. */
  own_title: boolean
  /** Why sentences were selected although a model is configured. */
  fallback?: Fallback
  sections: DocumentSection<Position>[]
  conversations: Omit<DocumentConversation, 'url'>[]
}

/** For members: each source leads to its second in the conversation's page of the dashboard. */
export const documentForMembers = (
  stored: StoredDocument,
  { publicUrl, project }: { publicUrl: string; project: { id: string; name: string } },
): ReportDocument =>
  withLinks(stored, project.name, (id) => `${publicUrl}/projects/${project.id}/conversations/${id}`)

export function withLinks(
  stored: StoredDocument,
  project_name: string,
  urlOf: (conversationId: string) => string | null,
): ReportDocument {
  const link = (position: Position): Source => ({ ...position, url: urlOf(position.conversation_id) })
  return {
    ...stored,
    project_name,
    sections: stored.sections.map(({ paragraphs, quotations, ...section }) => ({
      ...section,
      paragraphs: paragraphs.map((one) =>
        'erased' in one ? one : { ...one, sources: one.sources.map(link) },
      ),
      quotations: quotations.map((one) => ('erased' in one ? one : { ...one, source: link(one.source) })),
    })),
    conversations: stored.conversations.map((one) => ({ ...one, url: urlOf(one.id) })),
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

/** The passages of a report that come from one conversation. */
export const passagesFrom = ({ sections }: StoredDocument, id: string): string[] =>
  sections.flatMap(({ paragraphs, quotations }) => [
    ...paragraphs.flatMap((one) =>
      'erased' in one
        ? []
        : one.sources.flatMap((source) =>
            source.conversation_id === id ? [source.text ?? (one.own ? '' : one.text)] : [],
          ),
    ),
    ...quotations.flatMap((one) => ('erased' in one || one.source.conversation_id !== id ? [] : [one.text])),
  ])

/**
 * Replaces passages from one conversation with `erased`, also where a text by a member repeats one of them. Headings and a generated
 * title lose words that no remaining passage has. An introduction by a language model is removed, because it can rest on any
 * conversation.
 */
export function withoutConversation(
  stored: StoredDocument,
  id: string,
  said: readonly string[] = passagesFrom(stored, id),
): StoredDocument {
  const repeats = repetitionOf(said)
  const erased = { erased: true } as const
  const others = (ids: readonly string[]) => ids.filter((one) => one !== id)
  const sections = stored.sections.map(({ paragraphs, quotations, voices, ...section }) => ({
    ...section,
    ...(voices && {
      voices: {
        conversations: others(voices.conversations),
        for: others(voices.for),
        against: others(voices.against),
      },
    }),
    paragraphs: paragraphs.map((one) =>
      !('erased' in one) &&
      (one.sources.some(({ conversation_id }) => conversation_id === id) || (one.own && repeats(one.text)))
        ? erased
        : one,
    ),
    quotations: quotations.map((one) =>
      !('erased' in one) && one.source.conversation_id === id ? erased : one,
    ),
  }))
  // The text of a report names people by these numbers.
  const conversations = stored.conversations
    .map((one, at) => ({ ...one, number: one.number ?? at + 1 }))
    .filter((one) => one.id !== id)
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
    introduction: keepsIntroduction(stored, repeats) ? stored.introduction : '',
    sections: sections.map((section) => ({
      ...section,
      heading:
        section.own_heading && !repeats(section.heading ?? '')
          ? section.heading
          : section.heading && keepKnown(section.heading, known),
    })),
  }
}

const keepsIntroduction = (
  { own_introduction, introduction, method }: StoredDocument,
  repeats: (text: string) => boolean,
): boolean => (own_introduction ? !repeats(introduction) : method !== 'generative')

/** Four words in a row are rarely the same by chance. */
const REPEATED_WORDS = 4

function repetitionOf(said: readonly string[]): (text: string) => boolean {
  const known = new Set(said.flatMap(runsOf))
  return (text) => runsOf(text).some((run) => known.has(run))
}

function runsOf(text: string): string[] {
  const words = Array.from(segmenter().segment(text.toLowerCase()))
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment }) => segment)
  // A passage of fewer words is a run of its own.
  const count = Math.max(1, words.length - REPEATED_WORDS + 1)
  return words.length === 0
    ? []
    : Array.from({ length: count }, (_, at) => words.slice(at, at + REPEATED_WORDS).join(' '))
}

const segmenter = lazy(() => new Intl.Segmenter(undefined, { granularity: 'word' }))
const wordsOf = (text: string): Set<string> =>
  new Set(Array.from(segmenter().segment(text.toLowerCase()), ({ segment }) => segment))

const NOTHING_LEFT = '…'

function keepKnown(text: string, known: Set<string>): string {
  const kept = Array.from(segmenter().segment(text))
    .filter(({ segment, isWordLike }) => !isWordLike || known.has(segment.toLowerCase()))
    .map(({ segment }) => segment)
    .join('')
  return /\p{L}|\p{N}/u.test(kept) ? kept.trim() : NOTHING_LEFT
}
