import type { Clock } from '../../platform/clock.ts'

const CHECK_INTERVAL_MS = 30_000
/** A client that reads nothing keeps one of the few downloads, and its rights are not checked. */
const IDLE_TIMEOUT_MS = 5 * 60_000

interface Options {
  /** Rejects when the caller is no longer allowed to download. */
  reauthorize(): Promise<void>
  onIdle(): void
  clock: Clock
}

/** A zip can take hours: it ends, even within a recording, when the caller loses the right to it. */
export async function* whileAllowed(
  zip: AsyncIterable<Buffer>,
  { reauthorize, onIdle, clock }: Options,
): AsyncGenerator<Buffer> {
  let checkedAt = clock.now()
  for await (const part of zip) {
    if (clock.now() - checkedAt > CHECK_INTERVAL_MS) {
      await reauthorize()
      checkedAt = clock.now()
    }
    const idle = setTimeout(onIdle, IDLE_TIMEOUT_MS)
    try {
      yield part
    } finally {
      clearTimeout(idle)
    }
  }
}
