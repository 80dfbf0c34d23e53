import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { isUuid } from '../../platform/ids.ts'
import type { Caller } from '../caller.ts'
import type { Identity } from '../context.ts'
import { invalidCredentials, invalidPayload } from '../errors.ts'
import type { Query } from '../parse.ts'
import type { IdentityDb } from '../tables.ts'
import { activeUsers } from './active-user.ts'
import { clearCookie, cookieOf } from './cookies.ts'
import { hashToken } from './opaque-token.ts'
import { GRACE } from './sessions.ts'

/** Null without a credential; throws for an invalid one. Looks at the query, then the header, then the cookie. */
export async function authenticate(identity: Identity, request: FastifyRequest, reply: FastifyReply) {
  const explicit = explicitToken(request)
  if (explicit) return resolve(identity, explicit)
  const cookie = cookieOf(request, 'session', identity.settings)
  if (!cookie) return null
  try {
    return await resolve(identity, cookie)
  } catch (error) {
    clearCookie(reply, 'session', identity.settings)
    throw error
  }
}

/**
 * Routes under /auth accept an invalid session cookie: login replaces it, refresh checks it and logout clears it. A token in
 * the header or query must be valid there too, as in Directus.
 */
export async function rejectBadToken(identity: Identity, request: FastifyRequest): Promise<void> {
  const explicit = explicitToken(request)
  if (explicit) await resolve(identity, explicit)
}

function explicitToken(request: FastifyRequest): string | undefined {
  const inQuery = (request.query as Query).access_token
  const inHeader = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (Array.isArray(inQuery) || (inQuery && inHeader)) {
    throw invalidPayload('The request uses more than one method to include an access token')
  }
  return inHeader ?? (typeof inQuery === 'string' && inQuery !== '' ? inQuery : undefined)
}

async function resolve(identity: Identity, token: string): Promise<Caller> {
  const user = identity.accessTokens.isOurs(token)
    ? await userOfAccessToken(identity, token)
    : await userOfStaticToken(identity.db, token)
  if (!user) throw invalidCredentials()
  return user
}

const userOfStaticToken = (db: IdentityDb, token: string): Promise<Caller | undefined> =>
  activeUsers(db).where('users.token_hash', '=', hashToken(token)).executeTakeFirst()

async function userOfAccessToken({ accessTokens, db }: Identity, token: string) {
  const { id, session } = await accessTokens.verify(token)
  if (!isUuid(id)) return undefined
  const user = activeUsers(db).where('users.id', '=', id)
  if (session === undefined) return user.executeTakeFirst()
  return user
    .innerJoin('sessions', 'sessions.user_id', 'users.id')
    .innerJoin('session_tokens', 'session_tokens.session_id', 'sessions.id')
    .where('session_tokens.token_hash', '=', hashToken(session))
    .where('sessions.kind', '=', 'session')
    .where('session_tokens.expires_at', '>', sql<string>`now()`)
    .where(sql<boolean>`coalesce(session_tokens.rotated_at > now() - ${GRACE}, true)`)
    .executeTakeFirst()
}
