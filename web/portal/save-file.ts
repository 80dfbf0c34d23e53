import type { Outbox, Recording } from './outbox/outbox.ts'
import { h } from './ui/element.ts'

const EXTENSIONS: Record<string, string> = { 'audio/mp4': 'm4a', 'audio/ogg': 'ogg', 'text/plain': 'txt' }

/** The last resort: the participant can give the recording to the organisation. One file for each that the recorder began. */
export async function saveFile(outbox: Outbox, recording: Recording): Promise<void> {
  const files: Blob[][] = []
  for (const chunk of await outbox.chunks(recording.id)) {
    const audio = await outbox.audio(chunk)
    if (!audio) continue
    if (chunk.beginsFile || files.length === 0) files.push([])
    files.at(-1)?.push(audio)
  }
  if (recording.text !== null) files.push([new Blob([recording.text], { type: 'text/plain' })])
  for (const [index, parts] of files.entries()) {
    const type = parts[0]?.type ?? ''
    const number = files.length > 1 ? `-${index + 1}` : ''
    const url = URL.createObjectURL(new Blob(parts, { type }))
    h('a', { href: url, download: `recording${number}.${EXTENSIONS[type] ?? 'webm'}` }).click()
    setTimeout(() => URL.revokeObjectURL(url), 60_000)
  }
}
