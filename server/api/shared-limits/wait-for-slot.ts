import { setTimeout as pause } from 'node:timers/promises'
import type { Slots } from './slots.ts'

const RETRY_MS = 50
/** Longer than any call of a request to another server. */
const TIMEOUT_MS = 60_000

/** Waits until no other process holds the slot. Returns the function that releases it. */
export async function waitForSlot(slots: Slots, key: string): Promise<() => void> {
  for (const start = performance.now(); ; await pause(RETRY_MS, undefined, { ref: false })) {
    const { release } = await slots.take([{ key, max: 1 }])
    if (release) return release
    if (performance.now() - start > TIMEOUT_MS) return () => {}
  }
}
