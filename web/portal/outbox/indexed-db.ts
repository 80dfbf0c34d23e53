import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { ChunkState, Outbox, Piece, Recording } from './outbox.ts'

interface Schema extends DBSchema {
  recordings: { key: string; value: Recording }
  chunks: { key: [recordingId: string, seq: number]; value: ChunkState }
  pieces: { key: number; value: Piece; indexes: { chunk: [recordingId: string, seq: number] } }
}

const NAME = 'parley-recordings'
const STORES = ['recordings', 'chunks', 'pieces'] as const
/** Some browsers never respond, as after a crash of their storage process. Far longer than a slow phone needs. */
const OPEN_MS = 10_000

const connect = (onClosed: () => void): Promise<IDBPDatabase<Schema>> =>
  openDB<Schema>(NAME, 1, {
    upgrade(created) {
      created.createObjectStore('recordings', { keyPath: 'id' })
      created.createObjectStore('chunks', { keyPath: ['recordingId', 'seq'] })
      const pieces = created.createObjectStore('pieces', { autoIncrement: true })
      pieces.createIndex('chunk', ['recordingId', 'seq'])
    },
    // A newer version of the page in another tab must not wait for this one.
    blocking: (_version, _blocked, event) => (event.target as IDBDatabase | null)?.close(),
    terminated: onClosed,
  })

const atMost = <T>(ms: number, work: Promise<T>): Promise<T> =>
  Promise.race([
    work,
    new Promise<never>((_resolve, reject) => setTimeout(() => reject(new Error('timeout')), ms)),
  ])

/** Runs work on the database. */
type Use = <T>(work: (db: IDBPDatabase<Schema>) => Promise<T>) => Promise<T>

/** Rejects where the browser has no storage for the page, as in some private modes. */
export async function openIndexedDb(): Promise<Outbox> {
  const listeners = new Set<() => void>()
  const closed = () => {
    for (const listener of listeners) listener()
  }
  let db = await atMost(OPEN_MS, connect(closed))
  await atMost(OPEN_MS, probe(db))
  // Asks the browser not to remove recordings when the device is short of storage.
  void navigator.storage?.persist?.().catch(() => false)
  const use: Use = async (work) => {
    try {
      return await work(db)
    } catch (error) {
      if (!CLOSED.has((error as DOMException).name)) throw error
      db = await connect(closed)
      closed()
      return await work(db)
    }
  }
  return {
    ...outboxOn(use),
    onClosed(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Browsers close a connection in a page that was in the background for long, or when their storage process ends. */
const CLOSED = new Set(['InvalidStateError', 'AbortError', 'UnknownError'])

/** Some browsers open a database and then refuse to write. */
async function probe(db: IDBPDatabase<Schema>): Promise<void> {
  const tx = db.transaction('pieces', 'readwrite')
  const piece = { recordingId: '', seq: 0, bytes: new ArrayBuffer(1), type: '', at: 0, durationMs: 0 }
  await tx.store.delete(await tx.store.add(piece))
  await tx.done
}

const allOf = (recordingId: string): IDBKeyRange =>
  IDBKeyRange.bound([recordingId], [recordingId, Number.POSITIVE_INFINITY])

const outboxOn = (use: Use): Omit<Outbox, 'onClosed'> => ({
  isDurable: true,
  recordings: () => use((db) => db.getAll('recordings')),
  save: async (recording) => void (await use((db) => db.put('recordings', recording))),
  addPiece: (piece, beginsFile) => use((db) => addPiece(db, piece, beginsFile)),
  chunks: (recordingId) => use((db) => db.getAll('chunks', allOf(recordingId))),
  audio: (chunk) => use((db) => audioOf(db, chunk)),
  markSent: (chunk) => use((db) => markSent(db, chunk)),
  removeSentAudio: () => use(removeSentAudio),
  remove: (recordingId) => use((db) => remove(db, recordingId)),
})

async function addPiece(db: IDBPDatabase<Schema>, piece: Piece, beginsFile: boolean): Promise<void> {
  const { recordingId, seq, type, at, durationMs } = piece
  // On disk, not only handed to the system: a phone can run out of battery.
  const tx = db.transaction(['chunks', 'pieces'], 'readwrite', { durability: 'strict' })
  const chunks = tx.objectStore('chunks')
  const known = await chunks.get([recordingId, seq])
  const next = known
    ? { ...known, durationMs: known.durationMs + durationMs }
    : { recordingId, seq, type, at, durationMs, isSent: false, beginsFile }
  await Promise.all([tx.objectStore('pieces').add(piece), chunks.put(next), tx.done])
}

async function audioOf(
  db: IDBPDatabase<Schema>,
  { recordingId, seq, type }: ChunkState,
): Promise<Blob | null> {
  const pieces = await db.getAllFromIndex('pieces', 'chunk', [recordingId, seq])
  return pieces.length === 0
    ? null
    : new Blob(
        pieces.map(({ bytes }) => bytes),
        { type },
      )
}

async function markSent(db: IDBPDatabase<Schema>, { recordingId, seq }: ChunkState): Promise<void> {
  const tx = db.transaction('chunks', 'readwrite')
  const known = await tx.store.get([recordingId, seq])
  if (known) await tx.store.put({ ...known, isSent: true })
  await tx.done
}

async function removeSentAudio(db: IDBPDatabase<Schema>): Promise<boolean> {
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
}

async function remove(db: IDBPDatabase<Schema>, recordingId: string): Promise<void> {
  const tx = db.transaction(STORES, 'readwrite')
  for await (const cursor of tx.objectStore('pieces').index('chunk').iterate(allOf(recordingId)))
    await cursor.delete()
  await tx.objectStore('chunks').delete(allOf(recordingId))
  await tx.objectStore('recordings').delete(recordingId)
  await tx.done
  // A shared device keeps nothing of the last person, not even an empty database with its log.
  if ((await db.count('recordings')) === 0) await db.clear('pieces')
}
