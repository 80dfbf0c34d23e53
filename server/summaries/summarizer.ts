/** Text to less text: titles and summaries of conversations, and reports over many of them. */
export interface Summarizer {
  readonly capabilities: SummarizerCapabilities
  /** Both reject with an `EngineFailure`. */
  summarize(request: SummarizeRequest): Promise<Summary>
  report(request: ReportRequest): Promise<ReportDraft>
  close(): Promise<void>
}

interface SummarizerCapabilities {
  name: string
}

/** How a result was made. It belongs to the result: an engine that writes may have had to pick, and engines change. */
export interface Making {
  /** `extractive`: sentences that were said, picked. `generative`: written by a model. */
  method: 'extractive' | 'generative'
  /** The model that wrote it; null where none did. */
  model: string | null
}

export const PICKED: Making = { method: 'extractive', model: null }

export interface SummarizeRequest {
  /** ISO 639-1 of the conversation; null: unknown. */
  language: string | null
  utterances: readonly Utterance[]
  signal: AbortSignal
}

/** One segment of a transcript. */
export interface Utterance {
  /** Unique within the request; what claims and quotations name. */
  id: string
  /** Seconds from the conversation's beginning; null of written text. */
  start: number | null
  text: string
}

export interface Summary extends Making {
  title: string
  /** Each with the utterances that it rests on, which were checked to exist. */
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
  /** What the host wants to know. */
  instructions: string | null
  conversations: readonly ReportSource[]
  signal: AbortSignal
  /** From 0 to 1. */
  onProgress(share: number): void
}

export interface ReportSource {
  id: string
  title: string | null
  participant: string | null
  language: string | null
  utterances: readonly Utterance[]
}

/** What every rendering of a report is made from. */
export interface ReportDraft extends Making {
  title: string
  /** A paragraph or two. */
  introduction: string
  sections: ReportSection[]
}

export interface ReportSection {
  /** Empty: what no theme has taken up. */
  heading: string
  paragraphs: Claim[]
  quotations: Quotation[]
}

/** Words that were said, exactly. */
export interface Quotation {
  conversation_id: string
  utterance: string
  text: string
}
