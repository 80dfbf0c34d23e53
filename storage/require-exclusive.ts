import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { FileExists, type FileStore } from './file-store.ts'

/**
 * Throws unless the store refuses to replace a file that another process stored. An S3 server that ignores `If-None-Match` would let
 * two processes overwrite each other’s parts of an upload.
 */
export async function requireExclusiveWrites(files: FileStore): Promise<void> {
  const key = `probes/${randomUUID()}`
  const put = async (text: string) => {
    const file = await files.receive(Readable.from([Buffer.from(text)]), 10)
    await file.keep(key)
  }
  try {
    await put('first')
    const second: unknown = await put('second').catch((error: unknown) => error)
    if (second instanceof FileExists) return
    if (second) throw second
  } finally {
    await files.remove(key)
  }
  throw new Error(
    'The S3 server ignores If-None-Match, which Parley needs. Use a server with conditional writes.',
  )
}
