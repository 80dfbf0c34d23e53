import { Problem } from './problems.ts'
import { OPEN_STREAMS, RETRY_AFTER_SECONDS } from './rate-limits.ts'
import type { Slots } from './shared-limits/slots.ts'

export type StreamLimitTable = typeof OPEN_STREAMS

/** The user who opens a stream, and its project. A stream without a project counts only for its user and the process. */
export interface StreamOwner {
  userId: string
  projectId: string | null
  workspaceId: string | null
}

export interface StreamLimits {
  /** Counts one more stream and returns the function that releases it, or throws `rate_limited`. */
  take(owner: StreamOwner): Promise<() => void>
}

export interface StreamLimitParts {
  slots: Slots
  processId: string
}

export function createStreamLimits(
  { slots, processId }: StreamLimitParts,
  table: StreamLimitTable = OPEN_STREAMS,
): StreamLimits {
  return {
    async take({ userId, projectId, workspaceId }) {
      // The narrowest first, so that the error names the limit that the caller can do most about.
      const ids = { user: userId, project: projectId, workspace: workspaceId, process: processId }
      const names = (Object.keys(ids) as (keyof StreamLimitTable)[]).filter((name) => ids[name] !== null)
      const limits = names.map((name) => ({ key: `streams of ${name} ${ids[name]}`, max: table[name] }))
      const { release, fullAt } = await slots.take(limits)
      if (release) return () => void release()
      const name = names[fullAt] as keyof StreamLimitTable
      throw limitReached(name, table[name])
    },
  }
}

const OWNERS = {
  user: 'a user',
  project: 'a project',
  workspace: 'a workspace',
  process: 'the service',
} satisfies Record<keyof StreamLimitTable, string>

const limitReached = (name: keyof StreamLimitTable, limit: number): Problem =>
  new Problem('rate_limited', {
    detail: `Too many open event streams: ${OWNERS[name]} can have at most ${limit}. Close one and try again.`,
    retryAfterSeconds: RETRY_AFTER_SECONDS.stream,
  })
