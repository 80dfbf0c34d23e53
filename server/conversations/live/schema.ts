import { z } from 'zod'
import { id, timestamp } from '../../api/schema.ts'
import { status } from '../schema.ts'

const LiveRecording = z
  .object({
    id,
    code: z.string().nullable().describe('On the receipt of the participant'),
    status,
    failure: z.string().nullable().describe('As in the conversation'),
    source: z.enum(['portal_audio', 'portal_text']),
    participant_name: z.string().nullable(),
    title: z.string().nullable(),
    tags: z.array(z.string()),
    started_at: timestamp,
    finished_at: timestamp.nullable(),
    last_active_at: timestamp.describe(
      'When the last audio, text or heartbeat arrived. A phone that records sends audio every 5 or 10 seconds (`chunk_seconds`)',
    ),
    is_paused: z
      .boolean()
      .describe('Whether the participant has paused the recording, as the last heartbeat said'),
    duration_seconds: z.number().describe('Length of the audio transcribed so far'),
    missing_seconds: z.number().describe('Length of the audio that never arrived or cannot be decoded'),
    segments: z
      .array(z.object({ id: z.string(), text: z.string() }))
      .describe('The latest segments, oldest first; the stream of the project sends the next ones'),
    written_text: z
      .string()
      .nullable()
      .describe(
        'The end of what the participant typed, at most 1,000 characters; null if nothing was typed. The stream does not send it',
      ),
  })
  .meta({ id: 'LiveRecording' })

export const LiveRoom = z
  .object({
    at: timestamp.describe('The time of the server, to compare `last_active_at` with'),
    recordings: z
      .array(LiveRecording)
      .describe('In the order in which they started, which does not change; the newest 200'),
  })
  .meta({ id: 'LiveRoom' })

export type LiveRoomRecord = z.output<typeof LiveRoom>
