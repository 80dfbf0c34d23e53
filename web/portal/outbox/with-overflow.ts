import { createMemoryOutbox } from './memory.ts'
import { type ChunkState, isLost, type Outbox } from './outbox.ts'

export interface OverflowingOutbox extends Outbox {
  /** Whether audio had to be kept in memory because the device has no room. */
  readonly isFull: boolean
}

/** Keeps audio in memory that the device has no room for, until it is sent, and notices when the device has lost what it saved. */
export function withOverflow(durable: Outbox): OverflowingOutbox {
  const memory = createMemoryOutbox()
  const inMemory = new Set<string>()
  const saved = new Map<string, SavedChunks>()
  const keyOf = ({ recordingId, seq }: { recordingId: string; seq: number }) => `${recordingId} ${seq}`
  const savedOf = (recordingId: string): SavedChunks => {
    const known = saved.get(recordingId) ?? new Map<number, ChunkState>()
    saved.set(recordingId, known)
    return known
  }
  /** As last known, if the browser has withdrawn its storage: what is in memory can still be sent. */
  const chunksOnDevice = async (recordingId: string): Promise<ChunkState[]> => {
    const isKnown = saved.has(recordingId)
    const known = savedOf(recordingId)
    // Copied before the device is read: a piece that is saved in the meantime is not expected yet.
    const expected = [...known.values()].filter(({ durationMs }) => durationMs > 0).map((one) => ({ ...one }))
    try {
      const onDevice = await durable.chunks(recordingId)
      for (const chunk of onDevice) if (!known.has(chunk.seq)) known.set(chunk.seq, { ...chunk })
      return withLost(onDevice, expected, known)
    } catch (error) {
      if (!isKnown) throw error
      return expected
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
      const { recordingId, seq, type, at, durationMs } = piece
      const known = savedOf(recordingId)
      const chunk = known.get(seq) ?? {
        recordingId,
        seq,
        type,
        at,
        beginsFile,
        durationMs: 0,
        isSent: false,
      }
      known.set(seq, chunk)
      try {
        await durable.addPiece(piece, beginsFile)
        chunk.durationMs += durationMs
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
      return withoutHeadless([...merged.values()].sort((a, b) => a.seq - b.seq))
    },
    async audio(chunk) {
      if (isLost(chunk)) return null
      const isOnlyInMemory =
        inMemory.has(keyOf(chunk)) && !saved.get(chunk.recordingId)?.get(chunk.seq)?.durationMs
      const onDevice = isOnlyInMemory ? null : await durable.audio(chunk)
      const parts = [onDevice, await memory.audio(chunk)].filter((part) => part !== null)
      return parts.length === 0 ? null : new Blob(parts, { type: chunk.type })
    },
    async markSent(chunk) {
      const known = saved.get(chunk.recordingId)?.get(chunk.seq)
      if (known) known.isSent = true
      await memory.markSent(chunk)
      if (inMemory.delete(keyOf(chunk))) await memory.removeSentAudio()
      await durable.markSent(chunk).catch(() => {})
    },
    removeSentAudio: () => durable.removeSentAudio(),
    async remove(recordingId) {
      await memory.remove(recordingId)
      saved.delete(recordingId)
      await durable.remove(recordingId)
    },
    onClosed: (listener) => durable.onClosed(listener),
  }
}

/** The chunks that this page has saved or found on the device, with the length of the pieces whose storage was confirmed. */
type SavedChunks = Map<number, ChunkState>

/** Adds the chunks, and the parts of chunks, that were on the device and are not there any more. */
function withLost(onDevice: ChunkState[], expected: ChunkState[], known: SavedChunks): ChunkState[] {
  const found = new Map(onDevice.map((chunk) => [chunk.seq, chunk]))
  for (const before of expected) {
    const chunk = found.get(before.seq)
    const now = known.get(before.seq) ?? before
    // A chunk can be received while the device is read; what it had lost before stays lost.
    if (!now.isSent && !chunk?.isSent)
      now.lostMs = Math.max(now.lostMs ?? 0, before.durationMs - (chunk?.durationMs ?? 0))
    const { isSent, lostMs = 0 } = now
    if (!chunk) found.set(before.seq, { ...before, isSent, lostMs })
    else if (lostMs > 0)
      found.set(before.seq, { ...chunk, ...before, isSent: isSent || chunk.isSent, lostMs })
  }
  return [...found.values()]
}

/** Without the header at the beginning of its file, audio cannot be played: the rest of that file is lost, too. */
function withoutHeadless(chunks: ChunkState[]): ChunkState[] {
  let isHeaderLost = false
  return chunks.map((chunk) => {
    if (chunk.beginsFile) isHeaderLost = (chunk.lostMs ?? 0) > 0
    return isHeaderLost && !chunk.isSent ? { ...chunk, lostMs: chunk.durationMs } : chunk
  })
}
