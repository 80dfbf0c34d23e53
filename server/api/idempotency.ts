import type { IncomingHttpHeaders } from 'node:http'
import { sql } from 'kysely'
import type { Db, Tx } from '../../database/database.ts'
import type { Keyring } from '../../platform/encryption.ts'
import { invalidInput, Problem } from './problems.ts'
import type { HttpResponse } from './response.ts'

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

/** Several headers count as one long key, which cannot match a stored one by accident. */
export const keyIn = ({ 'idempotency-key': key }: IncomingHttpHeaders): string | undefined =>
  Array.isArray(key) ? key.join(',') : key

/** The stored response to the first request with this key. */
export async function findStoredResponse(db: Db | Tx, keyring: Keyring, request: IdempotentRequest) {
  if (request.key === undefined) return undefined
  if (!KEY.test(request.key))
    throw invalidInput({ path: 'Idempotency-Key', message: 'must be 1 to 255 visible ASCII characters' })
  const row = await db
    .selectFrom('idempotency_keys')
    .select(['fingerprint', 'response'])
    .where('user_id', '=', request.userId)
    .where('key', '=', request.key)
    .where('created_at', '>', sql<string>`now() - make_interval(hours => ${IDEMPOTENCY_HOURS})`)
    .executeTakeFirst()
  if (!row) return undefined
  if (!keyring.fingerprints(fingerprintInput(request)).includes(row.fingerprint))
    throw new Problem('idempotency_key_reused')
  return JSON.parse(keyring.decrypt(row.response, contextOf(request))) as HttpResponse
}

const contextOf = ({ userId, key }: IdempotentRequest): string => `idempotency:${userId}:${key}`

/**
 * Runs `work` once per key. The response is stored in the transaction of the change, so that both commit or neither. A repeat
 * during the first request waits at the advisory lock. Error responses are not stored.
 */
export async function runOnce(
  tx: Tx,
  keyring: Keyring,
  request: IdempotentRequest,
  work: () => Promise<HttpResponse>,
): Promise<HttpResponse> {
  const { userId, key } = request
  if (key === undefined) return work()
  const context = contextOf(request)
  await sql`select pg_advisory_xact_lock(hashtextextended(${context}, 0))`.execute(tx)
  const stored = await findStoredResponse(tx, keyring, request)
  if (stored !== undefined) return stored

  const response = await work()
  const row = {
    user_id: userId,
    key,
    fingerprint: keyring.fingerprints(fingerprintInput(request))[0] as string,
    response: keyring.encrypt(JSON.stringify(response), context),
  }
  await tx
    .insertInto('idempotency_keys')
    .values(row)
    // An expired row of the same key can still exist.
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'key']).doUpdateSet({ ...row, created_at: sql`now()` }),
    )
    .execute()
  return response
}

/** Only a keyed hash (HMAC) of this text is stored, because a body can contain a secret. */
const fingerprintInput = ({ method, path, body }: IdempotentRequest): string =>
  JSON.stringify([method, path, body ?? null])
