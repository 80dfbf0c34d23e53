import { Problem } from './problems.ts'

/**
 * Event streams that can be open at the same time in one process. A facilitator has a few tabs, a hall several dashboards of
 * one project, a workspace several halls; the process holds four full workspaces.
 */
export const STREAM_LIMITS = { user: 20, project: 100, workspace: 250, process: 1_000 }
export type StreamLimitTable = typeof STREAM_LIMITS

/** Tokens of the user's rate limit that opening a stream costs, including the one that every request costs. */
export const STREAM_TOKENS = 10

/** Sent with the 429: places become free when a client disconnects, which nothing announces. */
const RETRY_AFTER_SECONDS = 30

/** Who opens a stream, and of what. A stream without a project counts for its user and the process alone. */
export interface StreamOwner {
  userId: string
  projectId: string | null
  workspaceId: string | null
}

export interface StreamLimits {
  /** Takes a place and returns how to give it back, or throws `rate_limited`. Synchronous: parallel requests cannot overtake the count. */
  take(owner: StreamOwner): () => void
  /** Places that are taken. */
  count(): number
}

export function createStreamLimits(table: StreamLimitTable = STREAM_LIMITS): StreamLimits {
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
      let isGivenBack = false
      return () => {
        if (isGivenBack) return
        isGivenBack = true
        add(keys, -1)
      }
    },
    count: () => open.get('process') ?? 0,
  }
}

interface Scope {
  name: keyof StreamLimitTable
  key: string
}

/** The narrowest first, so that the error names the limit that the caller can do most about. */
function scopesOf({ userId, projectId, workspaceId }: StreamOwner): Scope[] {
  return [
    { name: 'user', key: `user ${userId}` },
    ...(projectId === null ? [] : [{ name: 'project' as const, key: `project ${projectId}` }]),
    ...(workspaceId === null ? [] : [{ name: 'workspace' as const, key: `workspace ${workspaceId}` }]),
    { name: 'process', key: 'process' },
  ]
}

const OWNERS = {
  user: 'a user',
  project: 'a project',
  workspace: 'a workspace',
  process: 'the service',
} satisfies Record<keyof StreamLimitTable, string>

const limitReached = (name: keyof StreamLimitTable, limit: number): Problem =>
  new Problem('rate_limited', {
    detail: `Limit reached: ${limit} event streams are open, the most that ${OWNERS[name]} can have. Close one and try again.`,
    headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
  })
