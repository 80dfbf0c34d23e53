import { sql } from 'kysely'
import type { z } from 'zod'
import { Problem } from '../api/problems.ts'
import type { ChangeContext } from '../api/route-spec.ts'
import { audit, type ProjectTarget } from '../auth/index.ts'
import { tenantIdsOf } from '../tenancy/index.ts'
import { notifyProject } from '../webhooks/index.ts'
import { lockConversation } from './lifecycle/lock-conversation.ts'
import type { ConversationRow } from './payload.ts'
import { type Conversation, type ConversationPatch, toConversation } from './schema.ts'
import { indexWords } from './search/index-words.ts'
import { loadTranscript } from './transcript/load-transcript.ts'

/** Values that a host set are not generated again; a title that a host removed is. A corrected language replaces the recognised one. */
const hostValues = ({ language, title, tags }: z.output<typeof ConversationPatch>) => ({
  ...(language !== undefined && { detected_language: null }),
  ...(title !== undefined && { own_title: title !== null }),
  ...(tags !== undefined && { own_tags: true }),
})

export async function updateConversation(
  context: ChangeContext<ProjectTarget>,
  found: ConversationRow,
  patch: z.output<typeof ConversationPatch>,
): Promise<z.output<typeof Conversation>> {
  const { tx } = context
  const row = await lockConversation(tx, found.id)
  if (!row) throw new Problem('not_found')
  context.requireUnchanged(toConversation(row))
  const changed = Object.keys(patch)
  if (changed.length === 0) return toConversation(row)
  const updated = await tx
    .updateTable('conversations')
    .set({ ...patch, ...hostValues(patch), changed: sql`pg_current_xact_id()` })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await notifyProject(tx, updated.project_id)
  await indexWords(tx, updated, (await loadTranscript(tx, updated)).text)
  await audit(tx, context, {
    action: 'conversation.update',
    ...(await tenantIdsOf(tx, context.target)),
    target: { kind: 'conversation', id: row.id },
    details: { changed },
  })
  return toConversation(updated)
}
