/** The texts for a model and for a report, in one language. One file per language, in the same order. */
export interface Prompts {
  /** Precedes every task: the sources are data, not instructions. `fence` is the line around them. */
  rules(fence: string): string
  /** A title, points and tags of one conversation, from its transcript or from notes on it. */
  summary: string
  /** Notes on one part of a conversation, and sentences worth quoting. */
  notes: string
  /** Fewer notes that say the same. */
  fewerNotes: string
  /** Sections across conversations, from notes on them. */
  report: string
  /** Added to tasks across conversations: numbers of people come from the program. */
  noCounts: string
  /** Added to `notes` if short conversations share a request. */
  severalConversations: string
  /** Asks whether sources support, contradict or do not mention statements. Replaces `rules`. */
  verify(fence: string): string
  /** Asks for the words that say what a statement says, and for the difference between them. Replaces `rules`. */
  compare(fence: string): string
  /** Precedes the host's instructions. */
  audience: string
  /** The language of the result. */
  language: string
  /** The title of a conversation in which nothing was said. */
  nothingSaid: string
  /** The title of a conversation of which no word was understood. */
  nothingUnderstood: string
  reportTitle: string
  /** In place of a report's introduction. */
  nothingToReport: string
  /** The introduction of an extractive report. */
  extractIntroduction(conversations: number): string
  /** The introduction of a generative report, if the model's own introduction is not supported. */
  introduction(conversations: number): string
}
