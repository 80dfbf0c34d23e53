import { sql } from 'kysely'
import type { AttemptDetails } from '../../database/tables.ts'

const ERASED: (keyof AttemptDetails)[] = ['answer_headers', 'answer_body', 'sent']

/**
 * The details of an attempt (column `a.details`) without what could tell of its payload: the receiver's response, which may repeat
 * it, and the signatures, by which a guess at it could be checked.
 */
export const erasedDetails = sql`(a.details::jsonb - ${ERASED}::text[])::json`
