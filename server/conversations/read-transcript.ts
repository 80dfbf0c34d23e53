import type { z } from 'zod'
import type { Context } from '../access/index.ts'
import type { Answer } from '../kernel/answer.ts'
import { type ConversationAccess, noteStaffReading } from './find-conversation.ts'
import { loadTranscript } from './load-transcript.ts'
import type { ConversationRow } from './payload.ts'
import type { TranscriptQuery } from './schema.ts'
import { contentDisposition } from './transcript/file-name.ts'
import { transcriptAs } from './transcript/formats.ts'
import { timeLine } from './transcript/time-line.ts'

type Query = z.output<typeof TranscriptQuery>

/** The transcript as a file, in the format that is asked for. */
export async function readTranscript(
  context: Context<ConversationAccess, undefined, Query>,
  row: ConversationRow,
): Promise<Answer> {
  await noteStaffReading(context, 'transcript.read', { kind: 'conversation', id: row.id })
  const { pieces } = await loadTranscript(context.db, row)
  const title = row.title ?? 'Conversation'
  const { format } = context.query
  const { contentType, body } = transcriptAs(
    format,
    timeLine({
      title,
      participant: row.participant_name,
      language: row.heard_language ?? row.language,
      started_at: row.started_at,
      pieces,
    }),
  )
  return {
    status: 200,
    headers: {
      'content-type': contentType,
      'content-disposition': contentDisposition('attachment', title, format),
    },
    body,
  }
}
