import { sql } from 'kysely'
import type { z } from 'zod'
import type { Tx } from '../../database/database.ts'
import { Problem } from '../api/problems.ts'
import { type Answer, ok, requireMatch } from '../api/response.ts'
import type { Context } from '../auth/index.ts'
import { audit } from '../auth/index.ts'
import { placeOf } from '../tenancy/index.ts'
import { notifyProject } from '../webhooks/index.ts'
import type { ConversationAccess } from './find-conversation.ts'
import { lockConversation } from './lifecycle/lock-conversation.ts'
import { loadTranscript } from './load-transcript.ts'
import type { ConversationRow } from './payload.ts'
import { type ConversationPatch, toConversation } from './schema.ts'
import { indexWords } from './search/index-words.ts'

/** What a host chose is not chosen anew; a title that they took away is. A corrected language replaces the recognised one. */
const ownWords = ({ language, title, tags }: z.output<typeof ConversationPatch>) => ({
  ...(language !== undefined && { detected_language: null }),
  ...(title !== undefined && { own_title: title !== null }),
  ...(tags !== undefined && { own_tags: true }),
})

export async function updateConversation(
  context: Context<ConversationAccess, z.output<typeof ConversationPatch>>,
  tx: Tx,
  found: ConversationRow,
): Promise<Answer> {
  const row = await lockConversation(tx, found.id)
  if (!row) throw new Problem('not_found')
  requireMatch(context.ifMatch, toConversation(row))
  const changed = Object.keys(context.body)
  if (changed.length === 0) return ok(toConversation(row))
  const updated = await tx
    .updateTable('conversations')
    .set({ ...context.body, ...ownWords(context.body), changed: sql`pg_current_xact_id()` })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await notifyProject(tx, updated.project_id)
  await indexWords(tx, updated, (await loadTranscript(tx, updated)).text)
  await audit(tx, context, {
    action: 'conversation.update',
    ...(await placeOf(tx, context.target)),
    target: { kind: 'conversation', id: row.id },
    details: { changed },
  })
  return ok(toConversation(updated))
}
