import { setTimeout as pause } from 'node:timers/promises'
import type { Slots } from './slots.ts'

const RETRY_MS = 100

interface WaitOptions {
  /** 0: tries once. */
  timeoutMs: number
  /** Whether the process that holds the slot is asked to give it up. */
  asksHolder?: boolean
  /** Called when another process asks for the slot. */
  onWanted?: () => void
}

/** Waits until no other process holds the slot. Returns the function that releases it; null after the timeout. */
export async function waitForSlot(
  slots: Slots,
  key: string,
  { timeoutMs, asksHolder = false, onWanted }: WaitOptions,
): Promise<(() => Promise<void>) | null> {
  for (const start = performance.now(); ; await pause(RETRY_MS, undefined, { ref: false })) {
    const { release } = await slots.take([{ key, max: 1 }], onWanted)
    if (release) return release
    if (performance.now() - start >= timeoutMs) return null
    if (asksHolder) await slots.want(key)
  }
}
