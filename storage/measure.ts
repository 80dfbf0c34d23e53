import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { HEAD_BYTES, type ReceivedFile, type ReceiveOptions } from './file-store.ts'

/** Size, digests and first bytes of a file. */
export type Measured = Pick<ReceivedFile, 'bytes' | 'digest' | 'sha512' | 'head'>

export type Measure = ReturnType<typeof startMeasure>

export function startMeasure(options: ReceiveOptions = {}) {
  const hash = createHash('sha256')
  const sha512 = options.sha512 ? createHash('sha512') : null
  const head: Uint8Array[] = []
  let bytes = 0
  return {
    add(part: Uint8Array): void {
      // A copy, because the caller can free the part.
      if (bytes < HEAD_BYTES) head.push(new Uint8Array(part.subarray(0, HEAD_BYTES - bytes)))
      bytes += part.byteLength
      hash.update(part)
      sha512?.update(part)
    },
    result(): Measured {
      return { bytes, digest: hash.digest(), sha512: sha512?.digest() ?? null, head: Buffer.concat(head) }
    },
  }
}

const READ_CHUNK_BYTES = 1024 * 1024

export async function measureFile(file: FileHandle): Promise<Measured> {
  const measure = startMeasure()
  for await (const part of file.createReadStream({ autoClose: false, highWaterMark: READ_CHUNK_BYTES }))
    measure.add(part as Buffer)
  return measure.result()
}
