import type { Voices } from '../../summaries/index.ts'

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
  /** Whether members have changed the text. */
  edited?: true
  /** Whether a member wrote the introduction. */
  own_introduction?: true
  sections: DocumentSection[]
  conversations: DocumentConversation[]
}

/** How many of the requested conversations were left out, by reason. */
export type LeftOut = Record<'not_finished' | 'failed' | 'empty' | 'erased' | 'over_limit', number>

export interface DocumentSection<S = Source> {
  /** Empty if the statements belong to no theme; null in some older reports. */
  heading: string | null
  /** Whether a member wrote the heading. */
  own_heading?: true
  paragraphs: (DocumentParagraph<S> | Erased)[]
  quotations: (DocumentQuotation<S> | Erased)[]
  /** Absent in older reports and if the engine does not know: the sources of the section are counted then. */
  voices?: Voices
}

export interface DocumentParagraph<S = Source> {
  text: string
  sources: S[]
  /** Whether a member wrote it or changed it: in an extract it is then no quotation. */
  own?: true
}

export interface DocumentQuotation<S = Source> {
  text: string
  source: S
}

/** Replaces a text from a conversation that was withdrawn later. */
export interface Erased {
  erased: true
}

/** Where something was said. */
export interface Position {
  conversation_id: string
  /** From the start of the conversation; null for text entries. */
  start_ms: number | null
  /** The text of the cited passage. A published report prints it for a claim of a language model. Older reports do not have it. */
  text?: string
}

export interface Source extends Position {
  /** Null in a published report: sources then lead to quotations within the report. */
  url: string | null
}

export interface DocumentConversation {
  id: string
  /** Stays the same when another conversation is erased. Absent until then: the position counts. */
  number?: number
  title: string | null
  participant: string | null
  /** ISO 8601. */
  started_at: string
  url: string | null
}
