import { Problem } from '../api/problems.ts'
import { DOWNLOADS_PER_WORKSPACE, RETRY_AFTER_SECONDS } from '../api/rate-limits.ts'
import type { Slots } from '../api/shared-limits/slots.ts'

/** Throws `rate_limited` at the limit; otherwise returns the function that ends this download. */
export type BeginDownload = (workspaceId: string) => Promise<() => void>

export function limitDownloads(slots: Slots): BeginDownload {
  return async (id) => {
    const { release } = await slots.take([
      { key: `downloads of workspace ${id}`, max: DOWNLOADS_PER_WORKSPACE },
    ])
    if (release) return () => void release()
    throw new Problem('rate_limited', {
      detail: `Too many downloads: a workspace can have at most ${DOWNLOADS_PER_WORKSPACE} at the same time. Try again when one has ended.`,
      retryAfterSeconds: RETRY_AFTER_SECONDS.download,
    })
  }
}
