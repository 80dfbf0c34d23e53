/** Loads the values of all keys in one call. Missing keys are left out. */
type LoadAll<K, V> = (keys: K[]) => Promise<Map<K, V>>

/** Combines the loads of one turn of the event loop into one call. Nothing is cached: values are read after the call. */
export function createBatchLoader<K, V>(loadAll: LoadAll<K, V>): (key: K) => Promise<V | undefined> {
  let batch: { keys: Set<K>; values: Promise<Map<K, V>> } | null = null

  function startBatch() {
    const keys = new Set<K>()
    const { promise, resolve } = Promise.withResolvers<Map<K, V>>()
    setImmediate(() => {
      batch = null
      resolve(Promise.try(loadAll, [...keys]))
    })
    return { keys, values: promise }
  }

  return async (key) => {
    batch ??= startBatch()
    batch.keys.add(key)
    return (await batch.values).get(key)
  }
}
