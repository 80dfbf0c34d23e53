import { api, type Versioned, versionOf } from '../../api/client.ts'
import { ApiProblem } from '../../api/problem.ts'
import { type Changes, differences, type Field, fieldsOf, isField, isSame, type Project } from './draft.ts'

/** Someone else changed fields that the user changed, too. */
export class Conflict extends Error {
  readonly current: Versioned<Project>
  readonly fields: Field[]

  constructor(current: Versioned<Project>, fields: Field[]) {
    super('The same settings were changed.')
    this.current = current
    this.fields = fields
  }
}

export interface Saved {
  project: Versioned<Project>
  /** Changes by someone else since then, in fields that the user has not changed. */
  beside: ReturnType<typeof differences>
}

const MAX_ATTEMPTS = 4

/** Sends only what the user changed. Changes of others to other fields stay; for the same fields the user has to choose. */
export async function saveSettings(before: Versioned<Project>, changes: Changes): Promise<Saved> {
  const { id } = before.record
  const params = { path: { pid: id } }
  let base = before
  for (let attempt = 1; ; attempt++) {
    try {
      const headers = { ...(base.etag && { 'If-Match': base.etag }) }
      const project = await versionOf(api.PATCH('/api/v2/projects/{pid}', { params, body: changes, headers }))
      return { project, beside: differences(before.record, base.record) }
    } catch (error) {
      if (!(error instanceof ApiProblem && error.status === 412) || attempt === MAX_ATTEMPTS) throw error
      base = await versionOf(api.GET('/api/v2/projects/{pid}', { params }))
      const current = base.record
      const touched = differences(before.record, current).filter(isField)
      const both = fieldsOf(changes).filter(
        (field) => touched.includes(field) && !isSame(current[field], changes[field]),
      )
      if (both.length > 0) throw new Conflict(base, both)
    }
  }
}
