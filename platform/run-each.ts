/** After this many failures the cause is probably not the items but, for example, an unreachable database. */
const MAX_FAILURES = 5

/** Runs `work` for one item after the other. A failure does not stop the others; the first one is thrown at the end. */
export async function runEach<T, R>(items: Iterable<T>, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  const failures: unknown[] = []
  for (const item of items) {
    try {
      results.push(await work(item))
    } catch (error) {
      failures.push(error)
      if (failures.length >= MAX_FAILURES) break
    }
  }
  if (failures.length > 0) throw failures[0]
  return results
}
