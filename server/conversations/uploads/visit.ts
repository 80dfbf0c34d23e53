import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { isUuid, newId } from '../../../platform/ids.ts'
import { Problem } from '../../api/problems.ts'
import { spend } from '../../api/rate-limit-headers.ts'
import { admit, type RouterOptions } from '../../auth/index.ts'
import { requireOffered } from '../offered-language.ts'
import type { AdmitParticipant } from '../participant/admit-participant.ts'
import { heartbeat } from '../participant/heartbeat.ts'
import { type ParticipantLimits, spendFor } from '../participant/participant-routes.ts'
import type { ChunkParts } from '../participant/put-chunk.ts'
import type { Receive } from './finish-upload.ts'
import { HostMetadata, RecordingMetadata, readMetadata } from './metadata.ts'
import { type Host, receiveHostFile } from './receive-host-file.ts'
import { receiveRecording } from './receive-recording.ts'
import type { Visit } from './tus.ts'
import type { UploadStore } from './upload-store.ts'

export interface UploadParts extends ChunkParts {
  limits: ParticipantLimits | null
  admitParticipant: AdmitParticipant
  rules: RouterOptions
}

/** Somebody who was admitted to an upload, and what becomes of it. */
export interface AdmittedVisit extends Visit {
  projectId: string
  /** The folder of their uploads. */
  owner: string
  conversationId: string
  requireRoom(): Promise<void>
  receive: Receive
}

/** Checks every request of an upload before a byte of it is read. */
export type AdmitVisit = (request: FastifyRequest) => Promise<AdmittedVisit>

export const participantVisits =
  (parts: UploadParts, store: UploadStore): AdmitVisit =>
  async (request) => {
    const { limits, db, admitParticipant, quota } = parts
    spend(request, limits?.perAddress, request.ip)
    const { cid, uid = newId() } = request.params as { cid: string; uid?: string }
    const conversation = await admitParticipant(cid, request.headers['x-participant-token'])
    spendFor(request, limits, conversation)
    const own = `/api/participant/conversations/${conversation.id}`
    return {
      ...placeOfUpload(conversation.project_id, conversation.id, uid),
      url: `${own}/uploads/${uid}`,
      conversationId: conversation.id,
      requireRoom: async () => {
        await quota.requireRoomIn(conversation)
        // Sending a large file takes longer than the silence after which a recording counts as left.
        await heartbeat(db, conversation)
      },
      checkMetadata: (metadata) => void readMetadata(RecordingMetadata, metadata),
      receive: async ({ id, metadata }) => {
        const { started_at } = readMetadata(RecordingMetadata, metadata)
        const file = { path: store.pathOf(id), recordedAt: started_at ?? null }
        await receiveRecording(parts, conversation.id, file)
        return own
      },
    }
  }

export const HOSTING = { kind: 'project', capability: 'conversation:update' } as const

export const hostVisits =
  (parts: UploadParts, store: UploadStore): AdmitVisit =>
  async (request) => {
    const admitted = await admit(request, HOSTING, parts.rules)
    const host = { ...admitted, requestId: request.id } as Host
    const { uid = newId() } = request.params as { uid?: string }
    const projectId = host.target.id
    return {
      ...placeOfUpload(projectId, `host-${hash('sha256', host.principal.userId).slice(0, 32)}`, uid),
      url: `/api/v2/projects/${projectId}/uploads/${uid}`,
      conversationId: uid,
      requireRoom: () => parts.quota.requireRoom(projectId),
      // Only when an upload begins: a file that arrived is not refused because the project's languages changed meanwhile.
      checkMetadata: (metadata) => requireOffered(host.target, readMetadata(HostMetadata, metadata).language),
      receive: async ({ id, metadata }) => {
        const about = readMetadata(HostMetadata, metadata)
        await receiveHostFile(parts, host, { id: uid, path: store.pathOf(id), about })
        return `/api/v2/conversations/${uid}`
      },
    }
  }

function placeOfUpload(projectId: string, folder: string, uid: string) {
  if (!isUuid(uid)) throw new Problem('not_found')
  const owner = `${projectId}/${folder}`
  return { projectId, owner, key: `${owner}/${uid}` }
}
