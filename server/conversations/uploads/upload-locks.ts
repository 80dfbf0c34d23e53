import { setTimeout as pause } from 'node:timers/promises'
import type { Lock, Locker } from '@tus/server'

const LOCKED = { status_code: 423, body: 'Another request is sending to this upload\n' }
/** How long a HEAD waits for the request that it ends. */
const PATIENCE_MS = 5_000

interface Holder {
  requestRelease(): void | Promise<void>
  freed: PromiseWithResolvers<boolean>
}

/**
 * One request at a time for each upload. A second PATCH is refused. HEAD is how clients come back after a lost connection,
 * and the server may not have noticed the loss: it ends the request that holds the upload, and then tells how far it came.
 */
export function createUploadLocks(): (endsOthers: boolean) => Locker {
  const holders = new Map<string, Holder>()

  async function lock(id: string, endsOthers: boolean, requestRelease: Holder['requestRelease']) {
    let tooLate: Promise<boolean> | undefined
    // Looking and taking in one go: others may have waited as well, and been first.
    for (let holder = holders.get(id); holder; holder = holders.get(id)) {
      if (!endsOthers) throw LOCKED
      tooLate ??= pause(PATIENCE_MS, false, { ref: false })
      await holder.requestRelease()
      if (!(await Promise.race([holder.freed.promise, tooLate]))) throw LOCKED
    }
    holders.set(id, { requestRelease, freed: Promise.withResolvers() })
  }

  async function unlock(id: string) {
    const holder = holders.get(id)
    holders.delete(id)
    holder?.freed.resolve(true)
  }

  return (endsOthers) => ({
    newLock: (id): Lock => ({
      lock: (_signal, requestRelease) => lock(id, endsOthers, requestRelease),
      unlock: () => unlock(id),
    }),
  })
}
