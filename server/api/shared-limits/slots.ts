import type pg from 'pg'
import { newId } from '../../../platform/ids.ts'
import type { ApiProcesses } from './api-processes.ts'
import { sharedKey } from './shared-key.ts'

interface SlotLimit {
  key: string
  /** How many can be held at the same time, in all API processes together. */
  max: number
}

/** `release` can be called more than once. It resolves when other processes can take the slot. */
type TakenSlot = { release(): Promise<void>; fullAt: null } | { release: null; fullAt: number }

export interface Slots {
  /**
   * Takes one slot of each limit, or none; then `fullAt` is the index of the first limit that is reached. Counts those of this process
   * before it waits for anything, so that parallel requests cannot exceed a limit.
   * `onWanted` is called within a second after another process has asked for this slot.
   */
  take(limits: SlotLimit[], onWanted?: () => void): Promise<TakenSlot>
  /** Asks the process that holds the slot of this key to give it up. */
  want(key: string): Promise<void>
}

interface Held {
  keys: string[]
  /** False while `take_slots` decides: its row would count against other requests, and the limit can still refuse it. */
  isTaken: boolean
  onWanted?: (() => void) | undefined
}

/** While several API processes are alive, each slot is a row in `held_slots`. A process alone counts in memory. */
export function createSlots(
  processes: Pick<ApiProcesses, 'id' | 'count' | 'onRenewal'>,
  pool: pg.Pool,
): Slots {
  const held = new Map<string, Held>()
  const counts = new Map<string, number>()
  let isPublished = true

  function add(id: string, slot: Held): void {
    held.set(id, slot)
    for (const key of slot.keys) counts.set(key, (counts.get(key) ?? 0) + 1)
    isPublished = false
  }

  function remove(id: string): void {
    const slot = held.get(id)
    if (!slot) return
    held.delete(id)
    for (const key of slot.keys) {
      const count = (counts.get(key) ?? 0) - 1
      if (count > 0) counts.set(key, count)
      else counts.delete(key)
    }
    isPublished = false
  }

  /** Writes the rows of slots that were taken while this process was alone, and removes those that it could not remove before. */
  async function publish(): Promise<void> {
    isPublished = true
    const taken = [...held].filter(([, { isTaken }]) => isTaken)
    const rows = taken.flatMap(([id, { keys }]) => keys.map((key) => ({ id, key })))
    await pool.query(
      `with gone as (delete from held_slots where process_id = $1 and id <> all ($4))
       insert into held_slots (key, id, process_id)
       select key, id, $1 from unnest($2::uuid[], $3::uuid[]) as taken (id, key) on conflict do nothing`,
      [processes.id, rows.map(({ id }) => id), rows.map(({ key }) => key), [...held.keys()]],
    )
  }

  processes.onRenewal(({ isNew, wanted }) => {
    for (const id of wanted) held.get(id)?.onWanted?.()
    if (isPublished && !isNew) return
    publish().catch(() => {
      isPublished = false
    })
  })

  /** Returns the index of the limit that is reached in all processes together, or null. */
  async function takeShared(id: string, keys: string[], limits: SlotLimit[]): Promise<number | null> {
    const { rows } = await pool.query<{ full_at: number | null }>(
      'select take_slots($1, $2, $3, $4) as full_at',
      [processes.id, id, keys, limits.map(({ max }) => max)],
    )
    const fullAt = rows[0]?.full_at ?? null
    return fullAt === null ? null : fullAt - 1
  }

  return {
    async take(limits, onWanted) {
      const keys = limits.map(({ key }) => sharedKey('slot', key))
      const fullHere = limits.findIndex(({ max }, index) => (counts.get(keys[index] as string) ?? 0) >= max)
      if (fullHere >= 0) return { release: null, fullAt: fullHere }
      const id = newId()
      const slot: Held = { keys, isTaken: false, onWanted }
      add(id, slot)
      if (processes.count() > 1) {
        // While the database is away, the limits of this process hold.
        const fullAt = await takeShared(id, keys, limits).catch(() => null)
        if (fullAt !== null) {
          remove(id)
          return { release: null, fullAt }
        }
      }
      slot.isTaken = true
      return {
        fullAt: null,
        release: async () => {
          if (!held.has(id)) return
          remove(id)
          if (processes.count() > 1)
            await pool.query('delete from held_slots where id = $1', [id]).catch(() => {})
        },
      }
    },
    want: async (key) => {
      await pool
        .query('update held_slots set wanted = true where key = $1 and process_id <> $2', [
          sharedKey('slot', key),
          processes.id,
        ])
        .catch(() => {})
    },
  }
}
