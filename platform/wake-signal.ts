export type WakeSignal = ReturnType<typeof createWakeSignal>

/** Wakes a waiting loop. A signal that finds no waiter is kept: the next wait returns immediately. */
export function createWakeSignal() {
  let signalled = false
  let wake: (() => void) | null = null
  return {
    signal(): void {
      signalled = true
      wake?.()
    },
    async wait(timeoutMs: number): Promise<void> {
      if (!signalled && timeoutMs > 0) {
        const { promise, resolve } = Promise.withResolvers<void>()
        const timer = setTimeout(resolve, timeoutMs)
        wake = resolve
        await promise
        clearTimeout(timer)
        wake = null
      }
      signalled = false
    },
  }
}
