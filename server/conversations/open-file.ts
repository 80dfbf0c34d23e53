import type { FileStore } from '../../storage/file-store.ts'
import type { SizedStream } from '../../storage/zip/zip.ts'

/** Null: the file was erased or replaced since the row was read. */
export async function openFile(files: FileStore, key: string): Promise<SizedStream | null> {
  const bytes = await files.size(key)
  if (bytes === null) return null
  try {
    return { bytes, stream: await files.read(key) }
  } catch (error) {
    if ((await files.size(key)) === null) return null
    throw error
  }
}
