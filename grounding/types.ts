/** Something that was said, and where. */
export interface Evidence {
  id: string
  text: string
  /** ISO 639-1; null: unknown. */
  language: string | null
  conversation: string
  /** The number of the utterance within its conversation. */
  position: number
  /** The name of the person who said it, if known. */
  speaker?: string | null
}

/** A line that a model is shown: something that was said, or a note on it. */
export interface SourceLine {
  text: string
  /** The source of the line. A line that was said is based on itself. */
  evidence: readonly Evidence[]
}

/** A claim of a model, with the labels (`s1`, `s2`, …) of the lines that it names as its sources. */
export interface Statement {
  text: string
  sources: string[]
}
