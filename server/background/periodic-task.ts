import type { Logger } from '../../platform/log.ts'
import { createWakeSignal } from '../../platform/wake-signal.ts'

/** Does the work now and then, and again at once while there is more of it, until it is stopped. */
export function repeat(
  component: string,
  everyMs: number,
  work: () => Promise<boolean>,
  log: Logger,
): { stop(): Promise<void> } {
  const wakeSignal = createWakeSignal()
  let stopping = false
  const running = (async () => {
    while (!stopping) {
      const more = await work().catch((err: unknown) => {
        log.warn({ err, component }, 'background work waits for better times')
        return false
      })
      await wakeSignal.wait(more ? 0 : everyMs)
    }
  })()
  return {
    stop: () => {
      stopping = true
      wakeSignal.signal()
      return running
    },
  }
}
