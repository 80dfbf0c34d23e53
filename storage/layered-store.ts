import type { FileStore, UploadFiles } from './file-store.ts'

/**
 * Two stores while files move from one to the other: new files go to `current`; files that it does not have yet are read from
 * `previous`. Removals reach both.
 */
export function layerStores(current: FileStore, previous: FileStore): FileStore {
  const storeOf = async (key: string): Promise<FileStore> =>
    (await current.size(key)) === null ? previous : current
  /** The file can arrive in `current`, and leave `previous`, between two calls. */
  const inEither = async <T>(key: string, use: (store: FileStore) => Promise<T>): Promise<T> => {
    const store = await storeOf(key)
    if (store === current) return use(current)
    return use(previous).catch(async (error: unknown) => {
      if ((await current.size(key)) === null) throw error
      return use(current)
    })
  }
  return {
    ...current,
    uploads: layerUploads(current, previous),
    size: async (key) => (await current.size(key)) ?? (await previous.size(key)) ?? current.size(key),
    read: (key, range) => inEither(key, (store) => store.read(key, range)),
    withPaths: async (keys, use) => {
      const stores = await Promise.all(keys.map(storeOf))
      const keysIn = (store: FileStore) => keys.filter((_, n) => stores[n] === store)
      return current.withPaths(keysIn(current), (here) =>
        previous.withPaths(keysIn(previous), (there) => {
          const [first, second] = [here.values(), there.values()]
          return use(stores.map((store) => (store === current ? first : second).next().value as string))
        }),
      )
    },
    remove: async (key) => {
      await previous.remove(key)
      await current.remove(key)
    },
    removeAll: async (prefix) => {
      await previous.removeAll(prefix)
      await current.removeAll(prefix)
    },
    list: (prefix) => namesOf(current.list(prefix), previous.list(prefix)),
    removeAbandoned: async () => {
      await current.removeAbandoned()
      await previous.removeAbandoned()
    },
    check: async () => {
      await current.check()
      await previous.check()
    },
    close: async () => {
      await current.close()
      await previous.close()
    },
  }
}

/** An upload ends in the store in which it began. */
function layerUploads(current: FileStore, previous: FileStore): UploadFiles {
  const [first, second] = [current.uploads, previous.uploads]
  const uploadsOf = async (id: string): Promise<UploadFiles> =>
    (await first.readNote(id)) === null && (await second.readNote(id)) !== null ? second : first
  return {
    create: first.create,
    readNote: async (id) => (await first.readNote(id)) ?? second.readNote(id),
    writeNote: async (id, note) => (await uploadsOf(id)).writeNote(id, note),
    size: async (id) => (await uploadsOf(id)).size(id),
    append: async (id, offset, content) => (await uploadsOf(id)).append(id, offset, content),
    read: async (id) => (await uploadsOf(id)).read(id),
    adopt: async (id) => {
      const uploads = await uploadsOf(id)
      return uploads === first
        ? first.adopt(id)
        : current.receive(await second.read(id), Number.POSITIVE_INFINITY)
    },
    removeBytes: async (id) => (await uploadsOf(id)).removeBytes(id),
    remove: async (id) => (await uploadsOf(id)).remove(id),
    removeAll: async (prefix) => {
      await second.removeAll(prefix)
      await first.removeAll(prefix)
    },
    list: (prefix) => namesOf(first.list(prefix), second.list(prefix)),
    bytesIn: async (prefix) => (await first.bytesIn(prefix)) + (await second.bytesIn(prefix)),
  }
}

async function* namesOf(...lists: AsyncIterable<string>[]): AsyncIterable<string> {
  const seen = new Set<string>()
  for (const list of lists)
    for await (const name of list) {
      if (!seen.has(name)) yield name
      seen.add(name)
    }
}
