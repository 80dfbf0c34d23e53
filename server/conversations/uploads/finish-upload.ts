import type { Upload } from '@tus/server'
import { Problem } from '../../api/problems.ts'
import { receivedAs, type UploadStore } from './upload-store.ts'

/** Gives the bytes to a conversation and answers with its address. It may be done again. */
export type Receive = (upload: Upload) => Promise<string>

/**
 * Whoever finds an upload whole finishes it: the request that brought the last byte, or, after a crash, the HEAD of a client
 * that comes back. The second of two at once waits, and finds it done. Null: some of it is still to come.
 */
export function createFinisher(
  store: UploadStore,
): (key: string, receive: Receive) => Promise<string | null> {
  const underWay = new Map<string, Promise<string | null>>()
  return (key, receive) => {
    const work = () => finishUpload(store, key, receive)
    const first = underWay.get(key)
    const mine = first ? first.then(work, work) : work()
    underWay.set(key, mine)
    return mine.finally(() => underWay.get(key) === mine && underWay.delete(key))
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
    // No audio now is no audio later; all other failures may pass, and the bytes wait for that.
    if (error instanceof Problem && error.code === 'unsupported_media') await store.remove(key)
    throw error
  }
}
