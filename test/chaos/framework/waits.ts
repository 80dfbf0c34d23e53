import { setTimeout as pause } from 'node:timers/promises'

/** The open waits of a run, so that a run that exceeds its time limit can print them. */
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

/** The result of the work, or an error that lists the open waits when the time limit is exceeded. */
export async function inTime<T>(waits: Waits, work: Promise<T>, ms: number): Promise<T> {
  if (await endsWithin(work, ms)) return work
  throw new Error(`time limit exceeded: ${waits.list().join('; ')}`)
}

export function endsWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  const late = pause(Math.max(0, ms), false, { ref: false })
  return Promise.race([work.then(() => true), late])
}
