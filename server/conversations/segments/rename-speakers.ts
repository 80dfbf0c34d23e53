import type { z } from 'zod'
import type { Db, Tx } from '../../../database/database.ts'
import { invalidInput } from '../../api/problems.ts'
import type { ChangeContext, Context } from '../../api/route-spec.ts'
import type { ProjectTarget } from '../../auth/index.ts'
import { noteStaffReading } from '../../tenancy/index.ts'
import { auditConversation, changeConversation, lockExisting } from '../find-conversation.ts'
import type { ConversationRow } from '../payload.ts'
import { touchSegments } from './correct-segment.ts'
import type { Speakers, SpeakersPatch } from './schema.ts'

type SpeakerMap = z.output<typeof Speakers>

export async function readSpeakers(
  context: Context<ProjectTarget>,
  row: ConversationRow,
): Promise<SpeakerMap> {
  await noteStaffReading(context, 'transcript.read', { kind: 'conversation', id: row.id })
  return speakersOf(context.db, row)
}

/** Names speakers in this conversation. A key is a label or a current name; two speakers with one name are renamed together. */
export async function renameSpeakers(
  context: ChangeContext<ProjectTarget>,
  { id }: ConversationRow,
  patch: z.output<typeof SpeakersPatch>,
): Promise<SpeakerMap> {
  const { tx } = context
  const row = await lockExisting(tx, id)
  const current = await speakersOf(tx, row)
  context.requireUnchanged(current)
  const changes = Object.entries(patch).flatMap(([key, name]) =>
    labelsOf(current, key).map((label): [string, string | null] => [label, name]),
  )
  const renamed = {
    ...current,
    ...Object.fromEntries(changes.map(([label, name]) => [label, name?.trim() ?? null])),
  }
  const changed = Object.keys(renamed).filter((label) => renamed[label] !== current[label])
  if (changed.length === 0) return current
  const names = Object.fromEntries(Object.entries(renamed).filter(([, name]) => name !== null))
  await changeConversation(tx, id, { speakers: JSON.stringify(names) })
  for (const speaker of changed) await touchSegments(tx, id, { speaker })
  await auditConversation(tx, context, 'conversation.rename_speakers', id, { changed })
  return renamed
}

function labelsOf(current: SpeakerMap, key: string): string[] {
  if (Object.hasOwn(current, key)) return [key]
  const labels = Object.keys(current).filter((label) => current[label] === key)
  if (labels.length === 0) throw invalidInput({ path: key, message: 'is not a speaker of this conversation' })
  return labels
}

async function speakersOf(db: Db | Tx, { id, speakers }: ConversationRow): Promise<SpeakerMap> {
  const rows = await db
    .selectFrom('segments')
    .select('speaker')
    .distinct()
    .where('conversation_id', '=', id)
    .where('speaker', 'is not', null)
    .orderBy('speaker')
    .execute()
  return Object.fromEntries(
    rows.map(({ speaker }) => [speaker as string, speakers?.[speaker as string] ?? null]),
  )
}
