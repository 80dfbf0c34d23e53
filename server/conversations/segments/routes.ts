import { pageOf } from '../../api/pagination.ts'
import type { RouteContext } from '../../api/route-spec.ts'
import type { Router } from '../../api/router.ts'
import { noteStaffReading } from '../../tenancy/index.ts'
import { oneConversation, reading, updating } from '../conversation-routes.ts'
import type { ConversationRow } from '../payload.ts'
import { correctSegment } from './correct-segment.ts'
import { findSegment } from './find-segments.ts'
import { listSegments } from './list-segments.ts'
import { readSpeakers, renameSpeakers } from './rename-speakers.ts'
import { Segment, SegmentPatch, SegmentQuery, type SegmentRecord, Speakers, SpeakersPatch } from './schema.ts'
import { segmentVersion } from './segment-fields.ts'

const one = `${oneConversation}/segments/:sid`

/** The segment in the path, with its conversation. */
const segmentIn =
  (find: typeof reading.find) =>
  async (context: RouteContext): Promise<Found> => {
    const conversation = await find(context)
    const { record } = await findSegment(context.db, conversation, context.params['sid'] ?? '')
    return { conversation, segment: record }
  }

interface Found {
  conversation: ConversationRow
  segment: SegmentRecord
}

/** The segments of a transcript: reading, correcting, naming speakers. */
export function registerSegments(router: Router): void {
  router.read({
    id: 'listSegments',
    summary: 'List the segments of a transcript, in the order of time',
    ...reading,
    url: `${oneConversation}/segments`,
    query: SegmentQuery,
    responses: { 200: pageOf(Segment) },
    read: (context, row) => listSegments(context, row, context.query),
  })
  router.read({
    id: 'readSegment',
    summary: 'Read a segment',
    ...reading,
    find: segmentIn(reading.find),
    url: one,
    responses: { 200: Segment },
    read: async (context, { conversation, segment }) => {
      await noteStaffReading(context, 'transcript.read', { kind: 'conversation', id: conversation.id })
      return segment
    },
    etag: segmentVersion,
  })
  router.change({
    id: 'updateSegment',
    summary: 'Correct the text of a segment, or restore the transcribed text',
    ...updating,
    find: segmentIn(updating.find),
    method: 'PATCH',
    url: one,
    body: SegmentPatch,
    responses: { 200: Segment },
    change: (context, _tx, _prepared, { conversation, segment }) =>
      correctSegment(context, conversation, segment.id, context.body),
    etag: segmentVersion,
  })
  router.read({
    id: 'readSpeakers',
    summary: 'Read the speakers of a conversation and their names',
    ...reading,
    url: `${oneConversation}/speakers`,
    responses: { 200: Speakers },
    read: readSpeakers,
    etag: true,
  })
  router.change({
    id: 'renameSpeakers',
    summary: 'Name the speakers of a conversation',
    ...updating,
    method: 'PATCH',
    url: `${oneConversation}/speakers`,
    body: SpeakersPatch,
    responses: { 200: Speakers },
    change: (context, _tx, _prepared, row) => renameSpeakers(context, row, context.body),
    etag: true,
  })
}
