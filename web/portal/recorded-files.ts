import type { Outbox } from './outbox/outbox.ts'

/** One file of the recorder, which begins a new one after each interruption. */
export interface RecordedFile {
  blob: Blob
  durationMs: number
}

/** The recorded files that are still on this device, in order. */
export async function recordedFiles(outbox: Outbox, recordingId: string): Promise<RecordedFile[]> {
  const files: { parts: Blob[]; durationMs: number }[] = []
  for (const chunk of await outbox.chunks(recordingId)) {
    const audio = await outbox.audio(chunk)
    if (!audio) continue
    if (chunk.beginsFile || files.length === 0) files.push({ parts: [], durationMs: 0 })
    const file = files.at(-1)
    file?.parts.push(audio)
    if (file) file.durationMs += chunk.durationMs - (chunk.lostMs ?? 0)
  }
  return files.map(({ parts, durationMs }) => ({
    blob: new Blob(parts, { type: parts[0]?.type ?? '' }),
    durationMs,
  }))
}
