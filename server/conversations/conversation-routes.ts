import type { RouteContext } from '../api/route-spec.ts'
import { findConversation } from './find-conversation.ts'
import type { ConversationRow } from './payload.ts'

export const conversationsTag = 'Conversations' as const
export const oneConversation = '/api/v2/conversations/:cid'

/** The common part of the routes on one conversation. */
export const routeTo = <V extends 'read' | 'update' | 'delete'>(verb: V) => ({
  tag: conversationsTag,
  access: { kind: 'project', capability: `conversation:${verb}`, through: 'conversation' } as const,
  find: ({ db, params }: RouteContext): Promise<ConversationRow> => findConversation(db, params['cid'] ?? ''),
})

export const reading = routeTo('read')
export const updating = routeTo('update')
