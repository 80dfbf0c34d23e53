/** Conversations: the participant API, chunks, lifecycle, transcripts. */
import './problems.ts'

export { chunkKey, joinedKey } from './chunks/file-keys.ts'
export { createChunkRecorder } from './chunks/record-chunks.ts'
export { createQuota } from './chunks/storage-quota.ts'
export { type ErasureParts, eraseConversation } from './erasure/erase-conversation.ts'
export { reapplyErasures, removeErasedFiles, removeLatelyErasedFiles } from './erasure/journal.ts'
export { recoverStalledErasures, sweepConversations } from './erasure/sweep.ts'
export { exportConversations } from './export-conversations.ts'
export { finishIdleConversations } from './lifecycle/finish-idle-conversations.ts'
export { lockConversation } from './lifecycle/lock-conversation.ts'
export { recoverStalledAudio } from './lifecycle/recover-stalled-audio.ts'
export { recoverStalledSteps } from './lifecycle/recover-stalled-steps.ts'
export {
  advance,
  completeConversation,
  failConversation,
  type Lifecycle,
  PRIORITY,
} from './lifecycle/steps.ts'
export { findProject } from './participant/read-portal.ts'
export { registerParticipant } from './participant/routes.ts'
export { registerWithdrawPage } from './participant/withdraw-page.ts'
export type { ConversationRow } from './payload.ts'
export { registerConversations } from './routes.ts'
export { createReindexing } from './search/reindex.ts'
export { loadTranscript, type TranscriptPiece } from './transcript/load-transcript.ts'
export { registerUploads } from './uploads/routes.ts'
export { TUS_CORS } from './uploads/tus.ts'
