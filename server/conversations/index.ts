/** Conversations: the participant API, chunks, lifecycle, transcripts. */
export type { Container } from '../../media/containers/container.ts'
export { joinAudio } from '../../media/join/join-audio.ts'
export { JoinFailure } from '../../media/join/join-failure.ts'
export { exportConversations } from './export-conversations.ts'
export { chunkKey, joinedKey } from './files.ts'
export { lockConversation } from './lifecycle/lock-conversation.ts'
export {
  advance,
  completeConversation,
  failConversation,
  type Lifecycle,
  PRIORITY,
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
export { contentDisposition, folderName } from './transcript/file-name.ts'
export { registerUploads } from './uploads/routes.ts'
export { TUS_OFFER } from './uploads/tus.ts'
