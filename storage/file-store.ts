import { constants } from 'node:os'
import type { Readable } from 'node:stream'

/** Stores recordings. Keys are paths of letters, digits, `-`, `_` and `.`, such as `conversations/<id>/0`. */
export interface FileStore {
  /** Whether `keep` sends the file over a network: do not hold a transaction that others wait for. */
  isRemote: boolean
  /**
   * Takes all bytes of a file, which has no key yet. The store takes ownership of the chunks. Rejects with `FileTooLarge` beyond
   * `maxBytes` and with `StorageFull` on a full disk, and leaves nothing behind then.
   */
  receive(content: Readable, maxBytes: number, options?: ReceiveOptions): Promise<ReceivedFile>
  uploads: UploadFiles
  /** Null if there is no such file. */
  size(key: string): Promise<number | null>
  /** The range includes both ends, as in HTTP. Rejects if there is no such file. */
  read(key: string, range?: ByteRange): Promise<Readable>
  /** Provides local paths, valid until `use` returns. Rejects if a file is missing, at the latest when it is opened. */
  withPaths<T>(keys: string[], use: (paths: string[]) => Promise<T>): Promise<T>
  /** Succeeds for a missing file too. */
  remove(key: string): Promise<void>
  /** Everything below `prefix/`, with all earlier versions that the store keeps. */
  removeAll(prefix: string): Promise<void>
  /** The names directly below `prefix/`, in any order. */
  list(prefix: string): AsyncIterable<string>
  /** Every file, in any order. A file that is stored or removed during the walk can be missing. */
  walk(): AsyncIterable<StoredFile>
  /** Removes files that killed processes received and neither kept nor discarded, after a day. */
  removeAbandoned(): Promise<void>
  /** Rejects if the store cannot be reached. */
  check(): Promise<void>
  close(): Promise<void>
}

export interface ByteRange {
  first: number
  last: number
}

export interface StoredFile {
  key: string
  bytes: number
}

export interface ReceiveOptions {
  /** Computes SHA-512 too, which costs as much as SHA-256. */
  sha512?: boolean
}

/** Has no key until `keep`. */
export interface ReceivedFile {
  bytes: number
  /** SHA-256. */
  digest: Buffer
  /** Null unless requested. */
  sha512: Buffer | null
  /** The first bytes, enough to detect the container. */
  head: Buffer
  /**
   * Assigns the key. The file is durable when it resolves. A file with the same bytes can have the key already; `FileExists` if its
   * bytes are other ones, unless `replace` is set.
   */
  keep(key: string, options?: { replace?: boolean }): Promise<void>
  /** Frees what a file that is not kept takes up. */
  discard(): Promise<void>
}

/**
 * Files that arrive in several requests, which any process that shares the store can take. An id is `<project>/<owner>/<name>`; a
 * name has no dot.
 */
export interface UploadFiles {
  /** An empty file and its note. */
  create(id: string, note: string): Promise<void>
  /** Null: the upload does not exist. */
  readNote(id: string): Promise<string | null>
  /** Replaces the note as a whole. */
  writeNote(id: string, note: string): Promise<void>
  /** The number of bytes that have arrived; null if the bytes were removed. */
  size(id: string): Promise<number | null>
  /**
   * Appends bytes and returns the new size. Bytes that arrived are durable when it resolves or rejects. Rejects with
   * `UploadConflict` if another request has written at this offset.
   */
  append(id: string, offset: number, content: Readable): Promise<number>
  read(id: string): Promise<Readable>
  /** Turns the bytes into a file, without a copy if possible. The upload stays until it is removed. */
  adopt(id: string): Promise<ReceivedFile>
  /** Removes the bytes and keeps the note. */
  removeBytes(id: string): Promise<void>
  remove(id: string): Promise<void>
  /** Every upload below `prefix/`, or below the top. */
  removeAll(prefix: string): Promise<void>
  /** The names directly below `prefix`, or at the top: folders, `<name>` for bytes and `<name>.json` for notes. */
  list(prefix?: string): AsyncIterable<string>
  /** The sum of all bytes below `prefix`. */
  bytesIn(prefix: string): Promise<number>
}

export const HEAD_BYTES = 4_096

export class FileTooLarge extends Error {}
export class StorageFull extends Error {}
/** A different file is already stored under the key. */
export class FileExists extends Error {}
/** Another request has appended to the upload. */
export class UploadConflict extends Error {}
/** The store did not respond, or asked for fewer requests, for longer than a request can wait. */
export class StorageUnavailable extends Error {}

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
