import type { z } from 'zod'
import type { GeneratedFile } from '../../api/files/file-response.ts'
import type { Context } from '../../api/route-spec.ts'
import type { ProjectTarget } from '../../auth/index.ts'
import { noteStaffReading } from '../../tenancy/index.ts'
import type { ConversationRow } from '../payload.ts'
import type { TranscriptQuery } from '../schema.ts'
import { transcriptAs } from './formats.ts'
import { loadTimeLine } from './time-line.ts'

/** The transcript as a file, in the requested format. */
export async function readTranscript(
  context: Context<ProjectTarget>,
  row: ConversationRow,
  { format }: z.output<typeof TranscriptQuery>,
): Promise<GeneratedFile> {
  await noteStaffReading(context, 'transcript.read', { kind: 'conversation', id: row.id })
  const { contentType, body } = transcriptAs(format, await loadTimeLine(context.db, row))
  return {
    title: row.title ?? 'Conversation',
    untitled: 'conversation',
    extension: format,
    contentType,
    content: body,
  }
}
