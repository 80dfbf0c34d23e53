import type { Upload } from '@tus/server'
import { Problem } from '../../api/problems.ts'
import { receivedAs, type UploadStore } from './upload-store.ts'

/** Adds the bytes to a conversation and returns its path. Idempotent. */
export type Receive = (upload: Upload) => Promise<string>

/**
 * Finishes a complete upload: in the request with the last byte or, after a crash, in the HEAD request of a client that resumes.
 * The second of two concurrent requests waits and finds it finished. Returns null for an incomplete upload.
 */
export function createFinisher(
  store: UploadStore,
): (key: string, receive: Receive) => Promise<string | null> {
  const pending = new Map<string, Promise<string | null>>()
  return (key, receive) => {
    const work = () => finishUpload(store, key, receive)
    const first = pending.get(key)
    const mine = first ? first.then(work, work) : work()
    pending.set(key, mine)
    return mine.finally(() => pending.get(key) === mine && pending.delete(key))
  }
}

async function finishUpload(store: UploadStore, key: string, receive: Receive): Promise<string | null> {
  const upload = await store.getUpload(key)
  const known = receivedAs(upload)
  if (known !== null) return known
  if (upload.size === undefined || upload.offset < upload.size) return null
  try {
    const address = await receive(upload)
    await store.settle(upload, address)
    return address
  } catch (error) {
    // Only a file that is not audio fails for good. Other errors can be retried with the stored bytes.
    if (error instanceof Problem && error.code === 'unsupported_media') await store.remove(key)
    throw error
  }
}
