/** Summarises conversations: the job, the prompts, and the engines that write summaries and reports. */
export { summarizeConversation } from './summarize-conversation.ts'
export type { KeptNotes, NoteStore, ReportDraft, ReportSource, Summarizer, Voices } from './summarizer.ts'
