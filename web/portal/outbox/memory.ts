import type { ChunkState, Outbox, Recording } from './outbox.ts'

/** For browsers that let a page store nothing. Unsent audio and text are lost when the page is closed. */
export function createMemoryOutbox(): Outbox {
  const recordings = new Map<string, Recording>()
  const chunks = new Map<string, ChunkState & { bytes: ArrayBuffer[] }>()
  const keyOf = ({ recordingId, seq }: { recordingId: string; seq: number }) => `${recordingId} ${seq}`
  return {
    isDurable: false,
    recordings: async () => [...recordings.values()],
    save: async (recording) => void recordings.set(recording.id, recording),
    async addPiece({ bytes, ...piece }, beginsFile) {
      const known = chunks.get(keyOf(piece))
      if (!known)
        return void chunks.set(keyOf(piece), { ...piece, isSent: false, beginsFile, bytes: [bytes] })
      known.durationMs += piece.durationMs
      known.bytes.push(bytes)
    },
    chunks: async (id) =>
      [...chunks.values()].filter(({ recordingId }) => recordingId === id).sort((a, b) => a.seq - b.seq),
    async audio(chunk) {
      const { bytes = [] } = chunks.get(keyOf(chunk)) ?? {}
      return bytes.length === 0 ? null : new Blob(bytes, { type: chunk.type })
    },
    async markSent(chunk) {
      const known = chunks.get(keyOf(chunk))
      if (known) known.isSent = true
    },
    async removeSentAudio() {
      const sent = [...chunks.values()].filter(({ isSent, bytes }) => isSent && bytes.length > 0)
      for (const chunk of sent) chunk.bytes = []
      return sent.length > 0
    },
    async remove(id) {
      recordings.delete(id)
      for (const [key, { recordingId }] of chunks) if (recordingId === id) chunks.delete(key)
    },
    onClosed: () => () => {},
  }
}
