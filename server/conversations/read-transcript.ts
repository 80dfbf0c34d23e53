import type { z } from 'zod'
import type { Answer } from '../api/response.ts'
import type { Context } from '../auth/index.ts'
import { noteStaffReading } from '../tenancy/index.ts'
import type { ConversationAccess } from './find-conversation.ts'
import { loadTimeLine } from './load-time-line.ts'
import type { ConversationRow } from './payload.ts'
import type { TranscriptQuery } from './schema.ts'
import { contentDisposition } from './transcript/file-name.ts'
import { transcriptAs } from './transcript/formats.ts'

type Query = z.output<typeof TranscriptQuery>

/** The transcript as a file, in the format that is asked for. */
export async function readTranscript(
  context: Context<ConversationAccess, undefined, Query>,
  row: ConversationRow,
): Promise<Answer> {
  await noteStaffReading(context, 'transcript.read', { kind: 'conversation', id: row.id })
  const { format } = context.query
  const { contentType, body } = transcriptAs(format, await loadTimeLine(context.db, row))
  return {
    status: 200,
    headers: {
      'content-type': contentType,
      'content-disposition': contentDisposition('attachment', row.title ?? 'Conversation', format),
    },
    body,
  }
}
