/** Conversations: the participant API, chunks, lifecycle, transcripts. */
export { type ErasureParts, eraseConversation } from './erasure/erase-conversation.ts'
export { reapplyErasures, removeErasedFiles, removeLatelyErasedFiles } from './erasure/journal.ts'
export { renewErasures, sweepConversations } from './erasure/sweep.ts'
export { exportConversations } from './export-conversations.ts'
export { chunkKey, joinedKey } from './files.ts'
export { finishSilent } from './lifecycle/finish-silent.ts'
export { lockConversation } from './lifecycle/lock-conversation.ts'
export { recoverAudio } from './lifecycle/recover-audio.ts'
export { renewSteps } from './lifecycle/renew-steps.ts'
export {
  advance,
  completeConversation,
  failConversation,
  type Lifecycle,
  URGENCY,
} from './lifecycle/steps.ts'
export { loadTranscript, type TranscriptPiece } from './load-transcript.ts'
export { createAdmission } from './participant/admit-participant.ts'
export {
  createParticipantRoutes,
  type ParticipantLimits,
  type ParticipantRoutes,
} from './participant/participant-routes.ts'
export { createQuota } from './participant/quota.ts'
export { findProject } from './participant/read-portal.ts'
export { createChunkRecorder } from './participant/record-chunks.ts'
export { registerParticipant } from './participant/routes.ts'
export { registerWithdrawPage } from './participant/withdraw-page.ts'
export type { ConversationRow } from './payload.ts'
export { registerConversations } from './routes.ts'
export { createWordRenewal } from './search/renew-words.ts'
export { contentDisposition, folderName } from './transcript/file-name.ts'
export { registerUploads } from './uploads/routes.ts'
export { startUploadSweep } from './uploads/sweep-uploads.ts'
export { TUS_OFFER } from './uploads/tus.ts'
