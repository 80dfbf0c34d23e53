import { sql } from 'kysely'
import { newId } from '../../platform/ids.ts'
import type { Identity } from '../context.ts'
import type { IdentityDb, IdentityTx, SessionKind } from '../tables.ts'
import { hashToken, newOpaqueToken } from './opaque-token.ts'

/** How long the old session JWT works after a refresh, for other requests of the page. */
export const GRACE = sql<string>`interval '10 seconds'`

export const secondsOf = (kind: SessionKind, { settings }: Identity): number =>
  kind === 'session' ? settings.SESSION_SECONDS : settings.REFRESH_TOKEN_SECONDS

/** Creates a session and returns its first token, which is stored only as a hash. */
export async function openSession(tx: IdentityTx, userId: string, kind: SessionKind, seconds: number) {
  const id = newId()
  await tx.insertInto('sessions').values({ id, user_id: userId, kind }).execute()
  return addToken(tx, id, seconds)
}

export async function addToken(tx: IdentityTx, sessionId: string, seconds: number): Promise<string> {
  const token = newOpaqueToken()
  const expires = sql<string>`now() + make_interval(secs => ${seconds})`
  await tx
    .insertInto('session_tokens')
    .values({ token_hash: hashToken(token), session_id: sessionId, expires_at: expires })
    .execute()
  return token
}

export async function endSessionsOf(tx: IdentityTx, userId: string): Promise<void> {
  await tx.deleteFrom('sessions').where('user_id', '=', userId).execute()
}

/** Deletes expired tokens, and sessions without tokens. */
export async function deleteExpiredSessions(db: IdentityDb): Promise<void> {
  await db.deleteFrom('session_tokens').where('expires_at', '<=', sql<string>`now()`).execute()
  await db
    .deleteFrom('sessions')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('session_tokens')
            .select('token_hash')
            .whereRef('session_tokens.session_id', '=', 'sessions.id'),
        ),
      ),
    )
    .execute()
}
