import { api, dataOf, type Schemas, type Versioned, versionOf } from '../../api/client.ts'
import { ApiProblem } from '../../api/problem.ts'

export type Details = Pick<Schemas['ConversationInFull'], 'title' | 'participant_name' | 'tags'>
type Conversation = Versioned<Schemas['ConversationInFull']>

const FIELDS = ['title', 'participant_name', 'tags'] as const
/** Each chunk of a running recording makes a new version. */
const MAX_ATTEMPTS = 4

/** Someone else changed fields that the user changed, too. */
export class DetailsConflict extends Error {
  readonly current: Conversation
  readonly fields: readonly (keyof Details)[]

  constructor(current: Conversation, fields: readonly (keyof Details)[]) {
    super('The same details were changed.')
    this.current = current
    this.fields = fields
  }
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/**
 * Sends only what differs from `opened`: values of a host are not generated again, and changes of others to other fields stay. If
 * someone else has changed the same field since `seen`, the user has to decide.
 */
export async function saveDetails(opened: Details, seen: Conversation, wanted: Details): Promise<void> {
  const fields = FIELDS.filter((field) => !isSame(opened[field], wanted[field]))
  if (fields.length === 0) return
  const body = Object.fromEntries(fields.map((field) => [field, wanted[field]]))
  const params = { path: { cid: seen.record.id } }
  let base = seen
  for (let attempt = 1; ; attempt++) {
    try {
      const headers = { ...(base.etag && { 'If-Match': base.etag }) }
      await dataOf(api.PATCH('/api/v2/conversations/{cid}', { params, body, headers }))
      return
    } catch (error) {
      if (!(error instanceof ApiProblem && error.status === 412) || attempt === MAX_ATTEMPTS) throw error
      base = await versionOf(api.GET('/api/v2/conversations/{cid}', { params }))
      const { record } = base
      const both = fields.filter(
        (field) => !isSame(record[field], seen.record[field]) && !isSame(record[field], wanted[field]),
      )
      if (both.length > 0) throw new DetailsConflict(base, both)
    }
  }
}
