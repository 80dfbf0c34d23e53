/** Creates the value at the first call: the start of the service does not wait for objects that are expensive to create. */
export function lazy<T>(create: () => T): () => T {
  let created: { value: T } | undefined
  return () => {
    created ??= { value: create() }
    return created.value
  }
}
