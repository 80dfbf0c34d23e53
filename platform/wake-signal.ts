/** Wakes a waiting loop. A signal that finds no waiter is kept: the next wait returns immediately. */
export interface WakeSignal {
  signal(): void
  wait(timeoutMs: number): Promise<void>
}

export function createWakeSignal(): WakeSignal {
  let signalled = false
  let wake: (() => void) | null = null
  return {
    signal() {
      signalled = true
      wake?.()
    },
    async wait(timeoutMs) {
      if (!signalled && timeoutMs > 0) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, timeoutMs)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
        wake = null
      }
      signalled = false
    },
  }
}
