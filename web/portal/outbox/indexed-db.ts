import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { ChunkState, Outbox, Piece, Recording } from './outbox.ts'

interface Schema extends DBSchema {
  recordings: { key: string; value: Recording }
  chunks: { key: [recordingId: string, seq: number]; value: ChunkState }
  pieces: { key: number; value: Piece; indexes: { chunk: [recordingId: string, seq: number] } }
}

const NAME = 'parley-recordings'
const STORES = ['recordings', 'chunks', 'pieces'] as const

/** Rejects where the browser has no storage for the page, as in some private modes. */
export async function openIndexedDb(): Promise<Outbox> {
  const db = await openDB<Schema>(NAME, 1, {
    upgrade(created) {
      created.createObjectStore('recordings', { keyPath: 'id' })
      created.createObjectStore('chunks', { keyPath: ['recordingId', 'seq'] })
      const pieces = created.createObjectStore('pieces', { autoIncrement: true })
      pieces.createIndex('chunk', ['recordingId', 'seq'])
    },
    // A newer version of the page in another tab must not wait for this one.
    blocking: (_version, _blocked, event) => (event.target as IDBDatabase | null)?.close(),
  })
  await probe(db)
  // Asks the browser not to remove recordings when the device is short of storage.
  void navigator.storage?.persist?.().catch(() => false)
  return outboxOn(db)
}

/** Some browsers open a database and then refuse to write. */
async function probe(db: IDBPDatabase<Schema>): Promise<void> {
  const tx = db.transaction('pieces', 'readwrite')
  const piece = { recordingId: '', seq: 0, bytes: new ArrayBuffer(1), type: '', at: 0, durationMs: 0 }
  await tx.store.delete(await tx.store.add(piece))
  await tx.done
}

const allOf = (recordingId: string): IDBKeyRange =>
  IDBKeyRange.bound([recordingId], [recordingId, Number.POSITIVE_INFINITY])

const outboxOn = (db: IDBPDatabase<Schema>): Outbox => ({
  isDurable: true,
  recordings: () => db.getAll('recordings'),
  save: async (recording) => void (await db.put('recordings', recording)),
  async addPiece(piece, beginsFile) {
    const { recordingId, seq, type, at, durationMs } = piece
    const tx = db.transaction(['chunks', 'pieces'], 'readwrite')
    const chunks = tx.objectStore('chunks')
    const known = await chunks.get([recordingId, seq])
    const next = known
      ? { ...known, durationMs: known.durationMs + durationMs }
      : { recordingId, seq, type, at, durationMs, isSent: false, beginsFile }
    await Promise.all([tx.objectStore('pieces').add(piece), chunks.put(next), tx.done])
  },
  chunks: (recordingId) => db.getAll('chunks', allOf(recordingId)),
  async audio({ recordingId, seq, type }) {
    const pieces = await db.getAllFromIndex('pieces', 'chunk', [recordingId, seq])
    return pieces.length === 0
      ? null
      : new Blob(
          pieces.map(({ bytes }) => bytes),
          { type },
        )
  },
  async markSent({ recordingId, seq }) {
    const tx = db.transaction('chunks', 'readwrite')
    const known = await tx.store.get([recordingId, seq])
    if (known) await tx.store.put({ ...known, isSent: true })
    await tx.done
  },
  async removeSentAudio() {
    const tx = db.transaction(['chunks', 'pieces'], 'readwrite')
    const sent = (await tx.objectStore('chunks').getAll()).filter(({ isSent }) => isSent)
    const index = tx.objectStore('pieces').index('chunk')
    let removed = false
    for (const { recordingId, seq } of sent)
      for await (const cursor of index.iterate([recordingId, seq])) {
        await cursor.delete()
        removed = true
      }
    await tx.done
    return removed
  },
  async remove(recordingId) {
    const tx = db.transaction(STORES, 'readwrite')
    for await (const cursor of tx.objectStore('pieces').index('chunk').iterate(allOf(recordingId)))
      await cursor.delete()
    await tx.objectStore('chunks').delete(allOf(recordingId))
    await tx.objectStore('recordings').delete(recordingId)
    await tx.done
    // A shared device keeps nothing of the last person, not even an empty database with its log.
    if ((await db.count('recordings')) === 0) await db.clear('pieces')
  },
})
