import type { Jobs } from '../../background/queue.ts'
import type { Emit } from '../../webhooks/index.ts'

/** recording → transcribing → summarizing → done, or failed. Each step is one transaction with its event and jobs, on a locked row. */
export interface Lifecycle {
  emit: Emit
  jobs: Jobs<ConversationJobs>
  /** The model that transcribes finished conversations again; null or absent: there is none. */
  betterModel?: string | null
}

/** The jobs that a conversation needs; background/jobs.ts maps them to their handlers. */
export type ConversationJobs = {
  /** One chunk, or the next part of a second pass. */
  transcribe: { conversation_id: string; seq: number } | { conversation_id: string; pass_id: string }
  summarize: { conversation_id: string; revision: number }
  join_audio: { conversation_id: string; revision: number }
  erase: { conversation_id: string }
}

/** Job priorities: live chunks before uploads, both before repeated work, and second passes when no other job waits. */
export const PRIORITY = { live: 2, upload: 1, again: 0, idle: -1 }
