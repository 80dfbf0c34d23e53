import { Problem } from './problems.ts'
import { OPEN_STREAMS, RETRY_AFTER_SECONDS } from './rate-limits.ts'

export type StreamLimitTable = typeof OPEN_STREAMS

/** The user who opens a stream, and its project. A stream without a project counts only for its user and the process. */
export interface StreamOwner {
  userId: string
  projectId: string | null
  workspaceId: string | null
}

export interface StreamLimits {
  /** Counts one more stream and returns the function that releases it, or throws `rate_limited`. Synchronous, so that parallel requests cannot exceed the limit. */
  take(owner: StreamOwner): () => void
  /** Streams that are open. */
  count(): number
}

export function createStreamLimits(table: StreamLimitTable = OPEN_STREAMS): StreamLimits {
  const open = new Map<string, number>()
  const add = (keys: string[], by: 1 | -1) => {
    for (const key of keys) {
      const count = (open.get(key) ?? 0) + by
      if (count === 0) open.delete(key)
      else open.set(key, count)
    }
  }
  return {
    take(owner) {
      const scopes = scopesOf(owner)
      const full = scopes.find(({ name, key }) => (open.get(key) ?? 0) >= table[name])
      if (full) throw limitReached(full.name, table[full.name])
      const keys = scopes.map(({ key }) => key)
      add(keys, 1)
      let isReleased = false
      return () => {
        if (isReleased) return
        isReleased = true
        add(keys, -1)
      }
    },
    count: () => open.get('process ') ?? 0,
  }
}

/** The narrowest first, so that the error names the limit that the caller can do most about. */
function scopesOf({ userId, projectId, workspaceId }: StreamOwner) {
  const ids = { user: userId, project: projectId, workspace: workspaceId, process: '' }
  const names = Object.keys(ids) as (keyof StreamLimitTable)[]
  return names.filter((name) => ids[name] !== null).map((name) => ({ name, key: `${name} ${ids[name]}` }))
}

const OWNERS = {
  user: 'a user',
  project: 'a project',
  workspace: 'a workspace',
  process: 'the service',
} satisfies Record<keyof StreamLimitTable, string>

const limitReached = (name: keyof StreamLimitTable, limit: number): Problem =>
  new Problem('rate_limited', {
    detail: `Limit reached: ${OWNERS[name]} can have at most ${limit} open event streams. Close one and try again.`,
    headers: { 'retry-after': String(RETRY_AFTER_SECONDS.stream) },
  })
