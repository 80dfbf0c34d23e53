import type { Outbox, Recording } from './outbox/outbox.ts'
import { recordedFiles } from './recorded-files.ts'
import { h } from './ui/element.ts'

const EXTENSIONS: Record<string, string> = { 'audio/mp4': 'm4a', 'audio/ogg': 'ogg' }

/** The last resort: the participant can give the recording to the organisation. One file for each that the recorder began. */
export async function saveFile(outbox: Outbox, recording: Recording): Promise<void> {
  const files = await recordedFiles(outbox, recording.id)
  for (const [index, { blob }] of files.entries()) {
    const number = files.length > 1 ? `-${index + 1}` : ''
    download(blob, `recording${number}.${EXTENSIONS[blob.type] ?? 'webm'}`)
  }
  const text = recording.text ?? recording.draft
  if (text) download(new Blob([text], { type: 'text/plain' }), 'text.txt')
}

function download(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  h('a', { href: url, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
