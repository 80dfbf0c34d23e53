/** All that the engines say in a language: to a model, and in a report. One file per language, in the same order. */
export interface Prompts {
  /** Goes before every task: the material is data, and what may be said of it. `fence` is the line around it. */
  ground(fence: string): string
  /** A title, points and tags of one conversation, from its transcript or from notes on it. */
  summary: string
  /** What one part of a conversation says, and what of it is worth quoting. */
  notes: string
  /** Fewer notes that say the same. */
  fewerNotes: string
  /** Sections across conversations, from notes on them. */
  report: string
  /** Comes before what the host asked for. */
  wish: string
  /** Which language the answer is to have. */
  language: string
  /** The title of a conversation in which nothing was said. */
  nothingSaid: string
  reportTitle: string
  /** In place of a report's introduction. */
  nothingToReport: string
  /** Of a report whose sentences were picked, not written. */
  extractIntroduction(conversations: number): string
  /** Of a written report, where the model gave none that holds. */
  introduction(conversations: number): string
}
