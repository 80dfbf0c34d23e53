import { createMemoryOutbox } from './memory.ts'
import type { ChunkState, Outbox } from './outbox.ts'

export interface OverflowingOutbox extends Outbox {
  /** Whether audio had to be kept in memory because the device has no room. */
  readonly isFull: boolean
}

/** Keeps audio in memory that the device has no room for, until it is sent. */
export function withOverflow(durable: Outbox): OverflowingOutbox {
  const memory = createMemoryOutbox()
  const [inMemory, onDevice] = [new Set<string>(), new Set<string>()]
  const lastKnown = new Map<string, ChunkState[]>()
  const keyOf = ({ recordingId, seq }: { recordingId: string; seq: number }) => `${recordingId} ${seq}`
  /** As last read, if the browser has withdrawn its storage: what is in memory can still be sent. */
  const chunksOnDevice = async (recordingId: string): Promise<ChunkState[]> => {
    try {
      const chunks = await durable.chunks(recordingId)
      lastKnown.set(recordingId, chunks)
      return chunks
    } catch (error) {
      const known = lastKnown.get(recordingId)
      if (!known) throw error
      return known
    }
  }
  return {
    get isDurable() {
      return durable.isDurable && inMemory.size === 0
    },
    get isFull() {
      return inMemory.size > 0
    },
    recordings: () => durable.recordings(),
    // The state can be lost without harm: a chunk that is sent twice is stored once.
    save: (recording) => durable.save(recording).catch(() => {}),
    async addPiece(piece, beginsFile) {
      // Once a piece of a chunk is in memory, the later ones follow it there, so that they stay in order.
      if (inMemory.has(keyOf(piece))) return memory.addPiece(piece, beginsFile)
      try {
        await durable.addPiece(piece, beginsFile)
        onDevice.add(keyOf(piece))
      } catch {
        const hasRoom = await durable.removeSentAudio().catch(() => false)
        if (hasRoom) return this.addPiece(piece, beginsFile)
        inMemory.add(keyOf(piece))
        await memory.addPiece(piece, beginsFile)
      }
    },
    async chunks(recordingId) {
      const merged = new Map<number, ChunkState>()
      for (const chunk of await chunksOnDevice(recordingId)) merged.set(chunk.seq, chunk)
      for (const { seq, ...chunk } of await memory.chunks(recordingId)) {
        const known = merged.get(seq)
        merged.set(seq, {
          ...(known ?? chunk),
          seq,
          durationMs: (known?.durationMs ?? 0) + chunk.durationMs,
          isSent: chunk.isSent,
        })
      }
      return [...merged.values()].sort((a, b) => a.seq - b.seq)
    },
    async audio(chunk) {
      const isOnlyInMemory = inMemory.has(keyOf(chunk)) && !onDevice.has(keyOf(chunk))
      const saved = isOnlyInMemory ? null : await durable.audio(chunk)
      const parts = [saved, await memory.audio(chunk)].filter((part) => part !== null)
      return parts.length === 0 ? null : new Blob(parts, { type: chunk.type })
    },
    async markSent(chunk) {
      await memory.markSent(chunk)
      if (inMemory.delete(keyOf(chunk))) await memory.removeSentAudio()
      await durable.markSent(chunk).catch(() => {})
    },
    removeSentAudio: () => durable.removeSentAudio(),
    async remove(recordingId) {
      await memory.remove(recordingId)
      lastKnown.delete(recordingId)
      await durable.remove(recordingId)
    },
  }
}
