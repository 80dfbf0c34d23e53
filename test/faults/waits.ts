import { setTimeout as pause } from 'node:timers/promises'

/** What a run waits for at this moment, in words: one that can't go on says so, and ends. */
export class Waits {
  private readonly open = new Set<{ what: string; since: number }>()

  async for<T>(what: string, event: Promise<T>): Promise<T> {
    const wait = { what, since: performance.now() }
    this.open.add(wait)
    try {
      return await event
    } finally {
      this.open.delete(wait)
    }
  }

  /** The oldest first. */
  list(): string[] {
    const now = performance.now()
    return [...this.open].map(
      ({ what, since }) => `waited ${((now - since) / 1000).toFixed(0)} s for ${what}`,
    )
  }
}

/** The result of what a run can't begin without; an error that tells what it waited for where that takes too long. */
export async function inTime<T>(waits: Waits, work: Promise<T>, ms: number): Promise<T> {
  if (await endsWithin(work, ms)) return work
  throw new Error(`out of time: ${waits.list().join('; ')}`)
}

/** Whether the work came to its end in time; what it does afterwards is nobody's business any more. */
export function endsWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  const late = pause(Math.max(0, ms), false, { ref: false })
  return Promise.race([work.then(() => true), late])
}
