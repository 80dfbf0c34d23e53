import { constants } from 'node:os'
import type { Readable } from 'node:stream'

/** Where recordings lie. Keys are paths of letters, digits, `-`, `_` and `.`, like `conversations/<id>/0`. */
export interface FileStore {
  /**
   * Takes bytes in and makes them durable under no name yet; the parts are the store's from then on. Rejects with `FileTooLarge` beyond `maxBytes`, with
   * `StorageFull` when there is no room; nothing is left behind then.
   */
  receive(content: Readable, maxBytes: number, options?: ReceiveOptions): Promise<ReceivedFile>
  /** A folder on this machine for what arrives in pieces, until it is adopted. */
  uploads: string
  /** Takes a file of `uploads` in, without a copy where that can be. It stays where it is until it is discarded. */
  adopt(path: string): Promise<ReceivedFile>
  /** Null: there is none. */
  size(key: string): Promise<number | null>
  /** Both ends included, as in HTTP. Rejects when there is no such file. */
  read(key: string, range?: { first: number; last: number }): Promise<Readable>
  /** Lends paths on this machine, for those who need them; they are gone when `use` ends. */
  withPaths<T>(keys: string[], use: (paths: string[]) => Promise<T>): Promise<T>
  /** One that is not there counts as removed. */
  remove(key: string): Promise<void>
  /** Everything below `prefix/`. */
  removeAll(prefix: string): Promise<void>
  /** The names right below `prefix/`, in no order. */
  list(prefix: string): AsyncIterable<string>
  /** Takes away what killed processes had received and neither kept nor discarded, a day later. */
  removeAbandoned(): Promise<void>
}

export interface ReceiveOptions {
  /** Computes SHA-512 as well. Only on request: it costs as much again as SHA-256. */
  sha512?: boolean
}

/** Durable, and nameless until it is kept. */
export interface ReceivedFile {
  bytes: number
  /** SHA-256. */
  digest: Buffer
  /** Null unless it was asked for. */
  sha512: Buffer | null
  /** The first bytes, as many as tell a container. */
  head: Buffer
  /** Gives it its name, in place of what had it; durable when it resolves. */
  keep(key: string): Promise<void>
  discard(): Promise<void>
}

export const HEAD_BYTES = 4_096

export class FileTooLarge extends Error {}
export class StorageFull extends Error {}

/** Whether the disk, or the account's share of it, is full. Node has no name for the latter: it gives its number alone. */
export const isDiskFull = (error: unknown): boolean => {
  const { code, errno } = error as NodeJS.ErrnoException
  return code === 'ENOSPC' || errno === -constants.errno.EDQUOT
}

const KEY = /^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/

/** Keys are made by us; one that could leave its folder is a bug. */
export function requireKey(key: string): void {
  if (!KEY.test(key)) throw new Error('not a key of the file store')
}
