import type { Identity } from '../context.ts'
import { hashToken } from './opaque-token.ts'

/** Ends the session of a token, with all tokens that were refreshed from it. Ignores an unknown token. */
export async function logout({ db }: Identity, token: string): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where(
      'id',
      'in',
      db.selectFrom('session_tokens').select('session_id').where('token_hash', '=', hashToken(token)),
    )
    .execute()
}
