import { sql } from 'kysely'
import { inTransaction } from '../../database/database.ts'
import type { Identity } from '../context.ts'
import { invalidCredentials } from '../errors.ts'
import type { IdentityTx, SessionKind } from '../tables.ts'
import { activeUsers } from './active-user.ts'
import { type Grant, grant, kindOf, type Mode } from './grant.ts'
import { hashToken } from './opaque-token.ts'
import { addToken, GRACE, secondsOf } from './sessions.ts'

/** Exchanges the current token of a session for a new one. */
export async function refresh(identity: Identity, mode: Mode, token: string): Promise<Grant> {
  const kind = kindOf(mode)
  const successor = await inTransaction(identity.db, (tx) =>
    rotate(tx, hashToken(token), kind, secondsOf(kind, identity)),
  )
  // Thrown outside the transaction, because the end of a stolen session must be committed.
  if (!successor) throw invalidCredentials()
  return grant(identity, mode, successor.user, successor.token)
}

async function rotate(tx: IdentityTx, hash: Buffer, kind: SessionKind, seconds: number) {
  const found = await lockSession(tx, hash, kind)
  if (!found) return null
  if (found.rotated) {
    // A token that was already exchanged was probably stolen, so the session ends. With a session cookie, other tabs of the
    // browser legitimately send the old one for a moment.
    if (!(kind === 'session' && found.in_grace))
      await tx.deleteFrom('sessions').where('id', '=', found.id).execute()
    return null
  }
  const user = await activeUsers(tx).where('users.id', '=', found.user_id).executeTakeFirst()
  if (found.expired || !user) return null
  await tx
    .updateTable('session_tokens')
    .set({ rotated_at: sql`now()` })
    .where('token_hash', '=', hash)
    .execute()
  return { user, token: await addToken(tx, found.id, seconds) }
}

/** Locks the row of the session, so that a refresh and the end of the session run one after the other. */
async function lockSession(tx: IdentityTx, hash: Buffer, kind: SessionKind) {
  const session = await tx
    .selectFrom('sessions')
    .select(['id', 'user_id'])
    .where('kind', '=', kind)
    .where('id', 'in', tx.selectFrom('session_tokens').select('session_id').where('token_hash', '=', hash))
    .forUpdate()
    .executeTakeFirst()
  if (!session) return undefined
  // Read under the lock, or parallel refreshes would all find an unused token.
  const token = await tx
    .selectFrom('session_tokens')
    .select([
      sql<boolean>`rotated_at is not null`.as('rotated'),
      sql<boolean>`coalesce(rotated_at > clock_timestamp() - ${GRACE}, false)`.as('in_grace'),
      sql<boolean>`expires_at <= clock_timestamp()`.as('expired'),
    ])
    .where('token_hash', '=', hash)
    .executeTakeFirst()
  return token && { ...session, ...token }
}
