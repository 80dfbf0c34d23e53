import { constants } from 'node:os'
import type { Readable } from 'node:stream'

/** Stores recordings. Keys are paths of letters, digits, `-`, `_` and `.`, such as `conversations/<id>/0`. */
export interface FileStore {
  /**
   * Stores bytes durably, without a key yet. The store takes ownership of the chunks. Rejects with `FileTooLarge` beyond
   * `maxBytes` and with `StorageFull` on a full disk, and leaves nothing behind then.
   */
  receive(content: Readable, maxBytes: number, options?: ReceiveOptions): Promise<ReceivedFile>
  /** A local folder for uploads in several requests, until they are adopted. */
  uploads: string
  /** Imports a file of `uploads`, without a copy if possible. The original stays until `discard`. */
  adopt(path: string): Promise<ReceivedFile>
  /** Null if there is no such file. */
  size(key: string): Promise<number | null>
  /** The range includes both ends, as in HTTP. Rejects if there is no such file. */
  read(key: string, range?: { first: number; last: number }): Promise<Readable>
  /** Provides local paths, valid until `use` returns. */
  withPaths<T>(keys: string[], use: (paths: string[]) => Promise<T>): Promise<T>
  /** Succeeds for a missing file too. */
  remove(key: string): Promise<void>
  /** Everything below `prefix/`. */
  removeAll(prefix: string): Promise<void>
  /** The names directly below `prefix/`, in any order. */
  list(prefix: string): AsyncIterable<string>
  /** Removes files that killed processes received and neither kept nor discarded, after a day. */
  removeAbandoned(): Promise<void>
}

export interface ReceiveOptions {
  /** Computes SHA-512 too, which costs as much as SHA-256. */
  sha512?: boolean
}

/** Durable, and without a key until `keep`. */
export interface ReceivedFile {
  bytes: number
  /** SHA-256. */
  digest: Buffer
  /** Null unless requested. */
  sha512: Buffer | null
  /** The first bytes, enough to detect the container. */
  head: Buffer
  /** Assigns the key, replacing an existing file. Durable when it resolves. */
  keep(key: string): Promise<void>
  discard(): Promise<void>
}

export const HEAD_BYTES = 4_096

export class FileTooLarge extends Error {}
export class StorageFull extends Error {}

/** Whether the disk or the user's quota is full. Node has no error code for the quota, only the number. */
export const isDiskFull = (error: unknown): boolean => {
  const { code, errno } = error as NodeJS.ErrnoException
  return code === 'ENOSPC' || errno === -constants.errno.EDQUOT
}

const KEY = /^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/

/** Keys come from our code; one that could leave its folder is a bug. */
export function requireKey(key: string): void {
  if (!KEY.test(key)) throw new Error('Invalid key of the file store.')
}
