import type { z } from 'zod'
import type { ChangeContext } from '../api/route-spec.ts'
import type { ProjectTarget } from '../auth/index.ts'
import { auditConversation, changeConversation, lockExisting } from './find-conversation.ts'
import type { ConversationRow } from './payload.ts'
import { type Conversation, type ConversationPatch, toConversation } from './schema.ts'
import { indexTranscript } from './search/index-words.ts'

/** Values that a host set are not generated again; a title that a host removed is. A corrected language replaces the recognised one. */
const hostValues = ({ language, title, tags }: z.output<typeof ConversationPatch>) => ({
  ...(language !== undefined && { detected_language: null }),
  ...(title !== undefined && { own_title: title !== null }),
  ...(tags !== undefined && { own_tags: true }),
})

export async function updateConversation(
  context: ChangeContext<ProjectTarget>,
  { id }: ConversationRow,
  patch: z.output<typeof ConversationPatch>,
): Promise<z.output<typeof Conversation>> {
  const { tx } = context
  const current = toConversation(await lockExisting(tx, id))
  context.requireUnchanged(current)
  const changed = Object.keys(patch)
  if (changed.length === 0) return current
  const updated = await changeConversation(tx, id, { ...patch, ...hostValues(patch) })
  await indexTranscript(tx, updated)
  await auditConversation(tx, context, 'conversation.update', id, { changed })
  return toConversation(updated)
}
