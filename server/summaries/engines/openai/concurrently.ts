/** Starts no more items after one has failed. */
export async function forEachConcurrently<Item>(
  items: readonly Item[],
  concurrency: number,
  work: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  let rest = [...items.entries()]
  const worker = async () => {
    for (let next = rest.shift(); next; next = rest.shift())
      await work(next[1], next[0]).catch((error: unknown) => {
        rest = []
        throw error
      })
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
}
