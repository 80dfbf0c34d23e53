import { createHash } from 'node:crypto'
import { HEAD_BYTES } from './file-store.ts'

/** What there is to know of a file's bytes. */
export interface Measured {
  bytes: number
  /** SHA-256. */
  digest: Uint8Array
  /** The first bytes, as many as tell a container. */
  head: Uint8Array
}

/** Measures bytes that pass by. */
export interface Measure {
  add(part: Uint8Array): void
  result(): Measured
}

export function startMeasure(): Measure {
  const hash = createHash('sha256')
  const head: Uint8Array[] = []
  let bytes = 0
  return {
    add(part) {
      // A copy: the part itself may be given back.
      if (bytes < HEAD_BYTES) head.push(new Uint8Array(part.subarray(0, HEAD_BYTES - bytes)))
      bytes += part.byteLength
      hash.update(part)
    },
    // Memory of their own: a view into Node's pool would take the whole pool along to another thread.
    result: () => ({
      bytes,
      digest: new Uint8Array(hash.digest()),
      head: new Uint8Array(Buffer.concat(head)),
    }),
  }
}
