import { ApiProblem } from '../../api/problem.ts'

export interface BulkFailure {
  id: string
  error: Error
}

/** Requests at the same time: the API allows more, but other people use it too. */
const CONCURRENCY = 4
const MAX_BUSY_RETRIES = 6
const BUSY_MS = 2_000

/** Does the same for each conversation. One that fails does not stop the others. */
export async function runBulk(
  ids: readonly string[],
  work: (id: string) => Promise<unknown>,
  onProgress: (done: number) => void,
): Promise<BulkFailure[]> {
  const failures: BulkFailure[] = []
  const waiting = ids.values()
  let done = 0
  const worker = async (): Promise<void> => {
    for (const id of waiting) {
      await patiently(() => work(id)).catch((error: unknown) => failures.push({ id, error: error as Error }))
      done += 1
      onProgress(done)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, worker))
  return failures
}

/** The API limits the requests of a user in a minute; a long list waits for its turn. */
async function patiently(work: () => Promise<unknown>): Promise<void> {
  for (let retries = 0; ; retries += 1)
    try {
      return void (await work())
    } catch (error) {
      const isBusy = error instanceof ApiProblem && error.status === 429
      if (!isBusy || retries >= MAX_BUSY_RETRIES) throw error
      await new Promise((resolve) => setTimeout(resolve, BUSY_MS * 2 ** retries))
    }
}
