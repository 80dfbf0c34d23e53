import { Problem } from '../api/problems.ts'
import { DOWNLOADS_PER_WORKSPACE, RETRY_AFTER_SECONDS } from '../api/rate-limits.ts'

/** Counts the downloads of this process; several processes allow as many times more. */
export interface Downloads {
  /** Throws `rate_limited` at the limit; otherwise returns the function that ends this download. */
  begin(workspaceId: string): () => void
}

export function createDownloads(): Downloads {
  const running = new Map<string, number>()
  const count = (id: string) => running.get(id) ?? 0
  function end(id: string): void {
    if (count(id) === 1) running.delete(id)
    else running.set(id, count(id) - 1)
  }
  return {
    begin(id) {
      if (count(id) >= DOWNLOADS_PER_WORKSPACE)
        throw new Problem('rate_limited', {
          detail: `Limit reached: ${DOWNLOADS_PER_WORKSPACE} downloads of this workspace are running. Try again when one has ended.`,
          headers: { 'retry-after': String(RETRY_AFTER_SECONDS.download) },
        })
      running.set(id, count(id) + 1)
      let isOver = false
      return () => {
        if (!isOver) end(id)
        isOver = true
      }
    },
  }
}
