/** Summarises conversations: the job, the prompts, and the engines that write summaries and reports. */
export { reportByExtract } from './engines/extractive/report.ts'
export { isUnderstood } from './is-understood.ts'
export { orSelect } from './or-select.ts'
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
