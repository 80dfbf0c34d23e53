/** More failures in one go say that it is not the items: the database is away, and each would wait for it. */
const MAX_FAILURES = 5

/** Does the work for one after the other; one that fails keeps no other from its turn. The first failure is thrown at the end. */
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
