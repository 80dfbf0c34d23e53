/** Wakes a loop that waits. A ring while nobody waits is not lost: the next wait returns at once. */
export interface Bell {
  ring(): void
  wait(atMostMs: number): Promise<void>
}

export function createBell(): Bell {
  let rung = false
  let wake: (() => void) | null = null
  return {
    ring() {
      rung = true
      wake?.()
    },
    async wait(atMostMs) {
      if (!rung && atMostMs > 0) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, atMostMs)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
        wake = null
      }
      rung = false
    },
  }
}
