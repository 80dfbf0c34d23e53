import type { Identity } from '../context.ts'
import { hashToken } from './opaque-token.ts'

/** Ends the session that a token belongs to, with all that was refreshed from it. An unknown token has nothing to end. */
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
