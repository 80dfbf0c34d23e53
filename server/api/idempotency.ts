import type { IncomingHttpHeaders } from 'node:http'
import { sql } from 'kysely'
import type { Db, Tx } from '../../database/database.ts'
import type { Keyring } from '../../platform/encryption.ts'
import { invalidInput, Problem } from './problems.ts'
import type { Answer } from './response.ts'

export const IDEMPOTENCY_HOURS = 24
const KEY = /^[\x21-\x7e]{1,255}$/

export interface IdempotentRequest {
  userId: string
  /** The Idempotency-Key header, if there is one. */
  key: string | undefined
  method: string
  path: string
  body: unknown
}

/** As it came; more than one is one that nobody sent before. */
export const keyIn = ({ 'idempotency-key': key }: IncomingHttpHeaders): string | undefined =>
  Array.isArray(key) ? key.join(',') : key

/** The answer of the first request with this key, if there was one. */
export async function recall(
  db: Db | Tx,
  keyring: Keyring,
  request: IdempotentRequest,
): Promise<Answer | undefined> {
  if (request.key === undefined) return undefined
  if (!KEY.test(request.key))
    throw invalidInput({ path: 'Idempotency-Key', message: 'must be 1 to 255 visible ASCII characters' })
  const kept = await findAnswer(db, keyring, request)
  return kept === undefined ? undefined : (JSON.parse(keyring.decrypt(kept, contextOf(request))) as Answer)
}

const contextOf = ({ userId, key }: IdempotentRequest): string => `idempotency:${userId}:${key}`

/**
 * Does `work` once per key: the answer is written in the transaction of the change, so that both happen or neither.
 * A repeat that comes while the first is still under way waits for it at the lock. Refusals are not kept.
 */
export async function once(
  tx: Tx,
  keyring: Keyring,
  request: IdempotentRequest,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const { userId, key } = request
  if (key === undefined) return work()
  const context = contextOf(request)
  await sql`select pg_advisory_xact_lock(hashtextextended(${context}, 0))`.execute(tx)
  const kept = await recall(tx, keyring, request)
  if (kept !== undefined) return kept

  const answer = await work()
  const row = {
    user_id: userId,
    key,
    fingerprint: keyring.fingerprints(essenceOf(request))[0] as string,
    response: keyring.encrypt(JSON.stringify(answer), context),
  }
  await tx
    .insertInto('idempotency_keys')
    .values(row)
    // An expired row of the same key may still be there.
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'key']).doUpdateSet({ ...row, created_at: sql`now()` }),
    )
    .execute()
  return answer
}

async function findAnswer(
  tx: Db | Tx,
  keyring: Keyring,
  request: IdempotentRequest,
): Promise<string | undefined> {
  const row = await tx
    .selectFrom('idempotency_keys')
    .select(['fingerprint', 'response'])
    .where('user_id', '=', request.userId)
    .where('key', '=', request.key as string)
    .where('created_at', '>', sql<string>`now() - make_interval(hours => ${IDEMPOTENCY_HOURS})`)
    .executeTakeFirst()
  if (row && !keyring.fingerprints(essenceOf(request)).includes(row.fingerprint))
    throw new Problem('idempotency_key_reused')
  return row?.response
}

/** A body may hold a secret: of this only a keyed fingerprint is kept. */
const essenceOf = ({ method, path, body }: IdempotentRequest): string =>
  JSON.stringify([method, path, body ?? null])
