/** Summaries of conversations, and reports on many of them. */
export interface Summarizer {
  readonly capabilities: { name: string }
  /** Both reject with an `EngineFailure`. */
  summarize(request: SummarizeRequest): Promise<Summary>
  report(request: ReportRequest): Promise<ReportDraft>
  close(): Promise<void>
}

/** How a result was made. Stored with the result, because a generative engine can fall back to an extract. */
export interface Provenance {
  /** `extractive`: selected sentences of the transcript. `generative`: written by a model. */
  method: 'extractive' | 'generative'
  /** The model that wrote it; null if it is extractive. */
  model: string | null
  /** Why sentences were selected although a model is configured. */
  fallback?: Fallback
}

/**
 * - `token_limit`: the model reached the limit of its response.
 * - `unusable`: it declined, or its response was empty or not in the requested form.
 * - `unsupported`: the transcript supports none of its points.
 * - `unavailable`: it did not respond in time, or could not be reached repeatedly.
 */
export type Fallback = 'token_limit' | 'unusable' | 'unsupported' | 'unavailable'

export const EXTRACTIVE: Provenance = { method: 'extractive', model: null }

export interface SummarizeRequest {
  /** ISO 639-1 of the conversation; null: unknown. */
  language: string | null
  utterances: readonly Utterance[]
  signal: AbortSignal
}

/** One segment of a transcript. */
export interface Utterance {
  /** Unique within the request. Claims and quotations refer to it. */
  id: string
  /** Seconds from the beginning of the conversation; null for text entries. */
  start: number | null
  text: string
  /** The speech engine is unsure of the words. */
  unclear?: boolean
}

export interface Summary extends Provenance {
  title: string
  /** Each with the utterances that it is based on, which exist. */
  points: Claim[]
  /** At most 10, lower case. */
  tags: string[]
}

interface Claim {
  text: string
  utterances: string[]
}

export interface ReportRequest {
  title: string | null
  language: string
  /** The subject of the report that the host asked for. */
  instructions: string | null
  conversations: readonly ReportSource[]
  signal: AbortSignal
  /** From 0 to 1. */
  onProgress(share: number): void
  /** For engines that take notes on each conversation. */
  notes?: NoteStore
}

/** Notes on conversations that an engine took for an earlier report. They contain what was said, and are erased with it. */
export interface NoteStore {
  /** The notes that were saved with the same key, by conversation. */
  load(keys: ReadonlyMap<string, string>): Promise<Map<string, KeptNotes>>
  save(conversationId: string, key: string, notes: KeptNotes): Promise<void>
}

/** `sources` are the positions of utterances within the conversation. */
export interface KeptNotes {
  lines: { text: string; sources: number[] }[]
  quotes: { text: string; sources: number[] }[]
}

export interface ReportSource {
  id: string
  title: string | null
  participant: string | null
  language: string | null
  /** The tags of participants and hosts, and those of the summary. */
  tags?: readonly string[]
  utterances: readonly Utterance[]
}

/** The content of a report, before it is rendered. */
export interface ReportDraft extends Provenance {
  title: string
  /** A paragraph or two. */
  introduction: string
  sections: ReportSection[]
}

export interface ReportSection {
  /** Empty for the section of sentences that belong to no theme. */
  heading: string
  paragraphs: Claim[]
  /** In a theme with several people, quotations from different people. */
  quotations: Quotation[]
  /** The people who speak about the theme. Absent if the engine does not know. */
  voices?: Voices
}

/** Ids of conversations, in the order of the request. Ids instead of numbers, so that an erasure can correct the counts. */
export interface Voices {
  conversations: string[]
  /** Those that want to have or keep the subject, and those that object or want it removed. A conversation can be in both lists or in neither. */
  for: string[]
  against: string[]
}

/** Verbatim text from a transcript. */
export interface Quotation {
  conversation_id: string
  utterance: string
  text: string
}
