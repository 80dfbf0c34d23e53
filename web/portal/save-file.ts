import type { Outbox, Recording } from './outbox/outbox.ts'
import { recordedFiles } from './recorded-files.ts'
import { h } from './ui/element.ts'

const EXTENSIONS: Record<string, string> = { 'audio/mp4': 'm4a', 'audio/ogg': 'ogg', 'text/plain': 'txt' }

/** The last resort: the participant can give the recording to the organisation. One file for each that the recorder began. */
export async function saveFile(outbox: Outbox, recording: Recording): Promise<void> {
  const files = (await recordedFiles(outbox, recording.id)).map(({ blob }) => blob)
  if (recording.text !== null) files.push(new Blob([recording.text], { type: 'text/plain' }))
  for (const [index, file] of files.entries()) {
    const number = files.length > 1 ? `-${index + 1}` : ''
    const url = URL.createObjectURL(file)
    h('a', { href: url, download: `recording${number}.${EXTENSIONS[file.type] ?? 'webm'}` }).click()
    setTimeout(() => URL.revokeObjectURL(url), 60_000)
  }
}
