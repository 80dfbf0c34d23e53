import { open } from 'node:fs/promises'
import { openAiff } from './aiff.ts'
import type { AppleContainer, AppleFile } from './apple-file.ts'
import { openCaf } from './caf.ts'

/** Null if the bytes are not such a file. */
export async function openAppleFile(path: string, container: AppleContainer): Promise<AppleFile | null> {
  await using file = await open(path)
  const { size } = await file.stat()
  return container === 'aiff' ? await openAiff(file, size) : await openCaf(file, size)
}
