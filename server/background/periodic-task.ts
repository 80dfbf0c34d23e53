import type { Logger } from '../../platform/log.ts'
import { createBell } from '../../platform/wake-signal.ts'

/** Does the work now and then, and again at once while there is more of it, until it is stopped. */
export function repeat(
  component: string,
  everyMs: number,
  work: () => Promise<boolean>,
  log: Logger,
): { stop(): Promise<void> } {
  const bell = createBell()
  let stopping = false
  const running = (async () => {
    while (!stopping) {
      const more = await work().catch((err: unknown) => {
        log.warn({ err, component }, 'background work waits for better times')
        return false
      })
      await bell.wait(more ? 0 : everyMs)
    }
  })()
  return {
    stop: () => {
      stopping = true
      bell.ring()
      return running
    },
  }
}
