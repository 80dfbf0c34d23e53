import { Problem } from '../api/problems.ts'

/** Of one workspace, in one process: each reads everything that it holds. */
const MOST_AT_ONCE = 2
const RETRY_AFTER_SECONDS = 60

/** Who is downloading what. One process counts for itself: behind several there may be as many times more. */
export interface Downloads {
  /** Refuses when there are as many as there may be; else answers with what ends this one, once. */
  begin(workspaceId: string): () => void
}

export function createDownloads(): Downloads {
  const underWay = new Map<string, number>()
  const count = (id: string) => underWay.get(id) ?? 0
  function end(id: string): void {
    if (count(id) === 1) underWay.delete(id)
    else underWay.set(id, count(id) - 1)
  }
  return {
    begin(id) {
      if (count(id) >= MOST_AT_ONCE)
        throw new Problem('rate_limited', {
          detail: `This workspace is being downloaded ${MOST_AT_ONCE} times already. Try again when one has ended.`,
          headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
        })
      underWay.set(id, count(id) + 1)
      let isOver = false
      return () => {
        if (!isOver) end(id)
        isOver = true
      }
    },
  }
}
