import { setTimeout as pause } from 'node:timers/promises'
import type { Lock, Locker } from '@tus/server'
import type { Slots } from '../../api/shared-limits/slots.ts'
import { waitForSlot } from '../../api/shared-limits/wait-for-slot.ts'

const LOCKED = { status_code: 423, body: 'Another request is sending to this upload\n' }
/** How long a HEAD waits for the request that it ends. */
const RELEASE_TIMEOUT_MS = 5_000

interface Holder {
  requestRelease(): void | Promise<void>
  freed: PromiseWithResolvers<boolean>
  release(): Promise<void>
}

/**
 * One request at a time per upload; a second PATCH gets 423. Clients resume with HEAD after a lost connection, which the server
 * may not have noticed: HEAD ends the request that has the lock, and then returns the offset.
 */
export function createUploadLocks(slots: Slots): (endsOthers: boolean) => Locker {
  const holders = new Map<string, Holder>()

  async function lock(id: string, endsOthers: boolean, requestRelease: Holder['requestRelease']) {
    let tooLate: Promise<boolean> | undefined
    // Checks and takes the lock without a pause in between, because another request can have waited for it too.
    for (let holder = holders.get(id); holder; holder = holders.get(id)) {
      if (!endsOthers) throw LOCKED
      tooLate ??= pause(RELEASE_TIMEOUT_MS, false, { ref: false })
      await holder.requestRelease()
      if (!(await Promise.race([holder.freed.promise, tooLate]))) throw LOCKED
    }
    const holder: Holder = { requestRelease, freed: Promise.withResolvers(), release: async () => {} }
    holders.set(id, holder)
    try {
      holder.release = await takeShared(id, endsOthers, () => void requestRelease())
    } catch (error) {
      await unlock(id)
      throw error
    }
  }

  /** Against the requests that other processes serve. */
  async function takeShared(
    id: string,
    endsOthers: boolean,
    onWanted: () => void,
  ): Promise<() => Promise<void>> {
    const timeoutMs = endsOthers ? RELEASE_TIMEOUT_MS : 0
    const release = await waitForSlot(slots, `upload ${id}`, { timeoutMs, asksHolder: true, onWanted })
    if (!release) throw LOCKED
    return release
  }

  /** Resolves when another process can lock the upload: a client that has the offset continues immediately, perhaps there. */
  async function unlock(id: string): Promise<void> {
    const holder = holders.get(id)
    holders.delete(id)
    await holder?.release()
    holder?.freed.resolve(true)
  }

  return (endsOthers) => ({
    newLock: (id): Lock => ({
      lock: (_signal, requestRelease) => lock(id, endsOthers, requestRelease),
      unlock: () => unlock(id),
    }),
  })
}
