import type { App } from '../app.ts'
import { recordedFiles } from '../recorded-files.ts'
import type { Session } from '../session.ts'
import { h } from '../ui/element.ts'

const EXTENSIONS: Record<string, string> = { 'audio/mp4': 'm4a', 'audio/ogg': 'ogg', 'text/plain': 'txt' }
/** Browsers need the address until the file is saved, and do not say when that is. */
const SAVING_MS = 60_000

/** The last resort: the participant can give the files to the organisation. */
export async function saveFiles({ outbox }: App, { recording }: Session): Promise<void> {
  const blobs = (await recordedFiles(outbox, recording.id)).map(({ blob }) => blob)
  if (recording.text !== null) blobs.push(new Blob([recording.text], { type: 'text/plain' }))
  for (const [index, blob] of blobs.entries()) {
    const url = URL.createObjectURL(blob)
    const number = blobs.length > 1 ? `-${index + 1}` : ''
    h('a', { href: url, download: `recording${number}.${EXTENSIONS[blob.type] ?? 'webm'}` }).click()
    setTimeout(() => URL.revokeObjectURL(url), SAVING_MS)
  }
}
