/** Summarises conversations: the job, the prompts, and the engines that write summaries and reports. */
export { reportByExtract } from './engines/extractive/report.ts'
export { summarizeConversation } from './summarize-conversation.ts'
export type {
  Fallback,
  KeptNotes,
  NoteStore,
  ReportDraft,
  ReportSource,
  Summarizer,
  Voices,
} from './summarizer.ts'
export { isUsable, marked, withoutMark } from './unclear-words.ts'
export { withExtractiveFallback } from './with-extractive-fallback.ts'
