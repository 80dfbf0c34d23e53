import { hash } from 'node:crypto'
import type { Upload } from '@tus/server'
import { isUuid, newId } from '../../../platform/ids.ts'
import { Problem } from '../../api/problems.ts'
import type { RouteContext } from '../../api/route-spec.ts'
import type { ChunkParts } from '../chunks/put-chunk.ts'
import { requireOffered } from '../offered-language.ts'
import { heartbeat } from '../participant/heartbeat.ts'
import { HostMetadata, type RawMetadata, RecordingMetadata, readMetadata } from './metadata.ts'
import { receiveHostFile, receiveRecording } from './receive-file.ts'

/** One authorized request of an upload. */
export interface UploadSession {
  /** The id of the upload in the store. It starts with the owner, so that the path of another owner finds nothing. */
  key: string
  /** The path of the upload. */
  url: string
  projectId: string
  /** The folder of the owner's uploads. */
  owner: string
  conversationId: string
  /** Throws if the metadata of a new upload is invalid. */
  checkMetadata(metadata: RawMetadata | undefined): void
  checkQuota(): Promise<void>
  /** Adds the bytes of a complete upload to a conversation and returns its path. Idempotent. */
  receive(upload: Upload): Promise<string>
}

export const PARTICIPANTS = {
  name: 'Participant',
  url: '/api/participant/conversations/:cid/uploads',
  access: { kind: 'participant' },
} as const

export function participantSession(
  { db, quota, ...parts }: ChunkParts,
  { target: conversation, params }: RouteContext<typeof PARTICIPANTS.access>,
): UploadSession {
  const { uid = newId() } = params
  const path = `/api/participant/conversations/${conversation.id}`
  return {
    ...keysOf(conversation.project_id, conversation.id, uid),
    url: `${path}/uploads/${uid}`,
    conversationId: conversation.id,
    checkQuota: async () => {
      await quota.checkConversation(conversation)
      // A large file takes longer than the idle time after which a conversation is finished.
      await heartbeat(db, conversation)
    },
    checkMetadata: (metadata) => void readMetadata(RecordingMetadata, metadata),
    receive: async ({ id, metadata }) => {
      const { started_at } = readMetadata(RecordingMetadata, metadata)
      const file = { upload: id, recordedAt: started_at ?? null }
      await receiveRecording({ db, quota, ...parts }, conversation.id, file)
      return path
    },
  }
}

export const HOSTS = {
  name: 'Host',
  url: '/api/v2/projects/:pid/uploads',
  access: { kind: 'project', capability: 'conversation:update' },
} as const

export function hostSession(parts: ChunkParts, context: RouteContext<typeof HOSTS.access>): UploadSession {
  const { target: project, principal, params } = context
  const { uid = newId() } = params
  return {
    ...keysOf(project.id, `host-${hash('sha256', principal.userId).slice(0, 32)}`, uid),
    url: `/api/v2/projects/${project.id}/uploads/${uid}`,
    conversationId: uid,
    checkQuota: () => parts.quota.checkProject(project.id),
    // Only for a new upload: a file that has arrived stays valid when the project's languages change.
    checkMetadata: (metadata) => requireOffered(project, readMetadata(HostMetadata, metadata).language),
    receive: async ({ id, metadata }) => {
      const about = readMetadata(HostMetadata, metadata)
      await receiveHostFile(parts, context, { id: uid, upload: id, about })
      return `/api/v2/conversations/${uid}`
    },
  }
}

function keysOf(projectId: string, folder: string, uid: string) {
  if (!isUuid(uid)) throw new Problem('not_found')
  const owner = `${projectId}/${folder}`
  return { projectId, owner, key: `${owner}/${uid}` }
}
