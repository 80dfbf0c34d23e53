import { Problem } from '../api/problems.ts'
import { DOWNLOADS_PER_WORKSPACE, RETRY_AFTER_SECONDS } from '../api/rate-limits.ts'

/** Throws `rate_limited` at the limit; otherwise returns the function that ends this download. */
export type BeginDownload = (workspaceId: string) => () => void

/** Counts the downloads of this process; several processes allow more in total. */
export function limitDownloads(): BeginDownload {
  const running = new Map<string, number>()
  return (id) => {
    const count = running.get(id) ?? 0
    if (count >= DOWNLOADS_PER_WORKSPACE)
      throw new Problem('rate_limited', {
        detail: `Limit reached: ${DOWNLOADS_PER_WORKSPACE} downloads of this workspace are running. Try again when one has ended.`,
        headers: { 'retry-after': String(RETRY_AFTER_SECONDS.download) },
      })
    running.set(id, count + 1)
    let isOver = false
    return () => {
      const left = (running.get(id) ?? 0) - 1
      if (!isOver && left > 0) running.set(id, left)
      else if (!isOver) running.delete(id)
      isOver = true
    }
  }
}
