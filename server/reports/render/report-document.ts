/** The one model that every rendering of a report is made from. Its texts are people's words: plain, never markup. */
export interface ReportDocument {
  id: string
  title: string
  /** BCP 47; what is none is rendered in English words. */
  language: string
  /** ISO 8601. */
  created_at: string
  method: 'extractive' | 'generative'
  /** The model that wrote it; absent of reports made before it was noted. */
  model?: string | null
  conversation_count: number
  /** Absent of reports made before it was counted. */
  left_out?: LeftOut
  project_name: string
  introduction: string
  sections: DocumentSection[]
  conversations: DocumentConversation[]
}

/** How many of the conversations that were asked for are not in it, by reason. */
export interface LeftOut {
  /** Still being recorded or transcribed. */
  not_finished: number
  /** Nothing of it could be heard. */
  failed: number
  /** Nothing was said in it. */
  empty: number
  /** Withdrawn or deleted, before the report was made or since. */
  erased: number
  /** Older than the newest that a report takes. */
  over_limit: number
}

export interface DocumentSection {
  /** Empty, or null of some older reports: what no theme has taken up. Programs before it read no null. */
  heading: string | null
  paragraphs: (DocumentParagraph | Erased)[]
  quotations: (DocumentQuotation | Erased)[]
}

export interface DocumentParagraph {
  text: string
  sources: Source[]
}

export interface DocumentQuotation {
  text: string
  source: Source
}

/** Stands where the words of a conversation stood that was withdrawn since. */
export interface Erased {
  erased: true
}

/** Where something was said. */
export interface Source {
  conversation_id: string
  /** From the conversation's beginning; null of written text. */
  start_ms: number | null
  url: string
}

export interface DocumentConversation {
  id: string
  title: string | null
  participant: string | null
  /** ISO 8601. */
  started_at: string
  url: string
}

/** Conversations by id, with the number from 1 under which the report lists them. */
export type ConversationNumbers = Map<string, { number: number; conversation: DocumentConversation }>

export const numberConversations = (conversations: readonly DocumentConversation[]): ConversationNumbers =>
  new Map(conversations.map((conversation, at) => [conversation.id, { number: at + 1, conversation }]))

/** Each place once: an engine may rest one sentence on neighbouring utterances of the same second. */
export function distinctSources(sources: readonly Source[]): Source[] {
  const seen = new Set<string>()
  return sources.filter((source) => {
    const key = `${source.conversation_id} ${secondOf(source)}`
    return !seen.has(key) && seen.add(key)
  })
}

export const secondOf = ({ start_ms }: Source): number | null =>
  start_ms === null ? null : Math.max(0, Math.floor(start_ms / 1000))
