/** Conversations: the participant API, chunks, lifecycle, transcripts. */
import './problems.ts'

export { chunkKey, joinedKey, peaksKey } from './chunks/file-keys.ts'
export { createChunkRecorder } from './chunks/record-chunks.ts'
export { createQuota } from './chunks/storage-quota.ts'
export { type ConversationExport, exportConversations } from './export-conversations.ts'
export { changeConversation, conversationById, lockConversation } from './find-conversation.ts'
export { enqueueSecondPass } from './lifecycle/begin-second-pass.ts'
export {
  advance,
  type ConversationJobs,
  completeConversation,
  failConversation,
  INCOMPLETE,
  type Lifecycle,
  PRIORITY,
  repeatFrom,
  replaceTranscript,
} from './lifecycle/steps.ts'
export { openFile } from './open-file.ts'
export { findProject, projectById, readPortal } from './participant/read-portal.ts'
export { registerParticipant } from './participant/routes.ts'
export type { ConversationRow } from './payload.ts'
export { registerPortalImages, registerShortLinks } from './portal/routes.ts'
export { registerConversations } from './routes.ts'
export {
  type Carried,
  carryCorrections,
  moveCorrections,
  openCorrections,
} from './segments/carry-corrections.ts'
export { loadTranscript, type TranscriptPiece } from './transcript/load-transcript.ts'
export { registerUploads } from './uploads/routes.ts'
export { RECORDING_CORS } from './uploads/tus.ts'
