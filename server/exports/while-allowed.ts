import type { Clock } from '../../platform/clock.ts'

const JUDGE_EVERY_MS = 30_000
/** Whoever takes nothing for so long keeps a place that others wait for, and is not judged again meanwhile. */
const IDLE_MS = 5 * 60_000

interface Watch {
  /** Rejects when whoever downloads may not any more. */
  judge(): Promise<void>
  /** They took nothing for long. */
  onIdle(): void
  clock: Clock
}

/** A zip can take hours: whoever loses the right to it meanwhile gets it broken off, in the midst of a recording, too. */
export async function* whileAllowed(
  zip: AsyncIterable<Buffer>,
  { judge, onIdle, clock }: Watch,
): AsyncGenerator<Buffer> {
  let judgedAt = clock.now()
  for await (const part of zip) {
    if (clock.now() - judgedAt > JUDGE_EVERY_MS) {
      await judge()
      judgedAt = clock.now()
    }
    const idle = setTimeout(onIdle, IDLE_MS)
    try {
      yield part
    } finally {
      clearTimeout(idle)
    }
  }
}
