/** The input of every renderer. Its texts are plain text, never markup. */
export interface ReportDocument {
  id: string
  title: string
  /** BCP 47. Unknown languages get English labels. */
  language: string
  /** ISO 8601. */
  created_at: string
  method: 'extractive' | 'generative'
  /** The language model that wrote it. Older reports do not have this field. */
  model?: string | null
  conversation_count: number
  /** Older reports do not have this field. */
  left_out?: LeftOut
  project_name: string
  introduction: string
  sections: DocumentSection[]
  conversations: DocumentConversation[]
}

/** How many of the requested conversations were left out, by reason. */
export interface LeftOut {
  /** Still being recorded or transcribed. */
  not_finished: number
  /** Could not be transcribed. */
  failed: number
  /** Contains no words. */
  empty: number
  /** Withdrawn or deleted, before or after the report was made. */
  erased: number
  /** Older than the conversations that fit into a report. */
  over_limit: number
}

export interface DocumentSection {
  /** Empty if the statements belong to no theme; null in some older reports. */
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

/** Replaces a text from a conversation that was withdrawn later. */
export interface Erased {
  erased: true
}

/** The position of a statement. */
export interface Source {
  conversation_id: string
  /** From the start of the conversation; null for text entries. */
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

/** Conversations by id, with their number in the report, from 1. */
export type ConversationNumbers = Map<string, { number: number; conversation: DocumentConversation }>

export const numberConversations = (conversations: readonly DocumentConversation[]): ConversationNumbers =>
  new Map(conversations.map((conversation, at) => [conversation.id, { number: at + 1, conversation }]))

/** Removes duplicates: one sentence can rest on several utterances of the same second. */
export function distinctSources(sources: readonly Source[]): Source[] {
  const seen = new Set<string>()
  return sources.filter((source) => {
    const key = `${source.conversation_id} ${secondOf(source)}`
    return !seen.has(key) && seen.add(key)
  })
}

export const secondOf = ({ start_ms }: Source): number | null =>
  start_ms === null ? null : Math.max(0, Math.floor(start_ms / 1000))
