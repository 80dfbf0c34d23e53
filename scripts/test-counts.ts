import type { TestEvent } from 'node:test/reporters'

export interface GroupResult {
  tests: number
  failed: number
}

/** Writes how many tests a whole run had, and how many of them failed. */
export default async function* countTests(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of source) {
    // Each file has its own summary.
    if (type !== 'test:summary' || data.file !== undefined) continue
    const { tests, passed, skipped, todo } = data.counts
    yield JSON.stringify({ tests, failed: tests - passed - skipped - todo } satisfies GroupResult)
  }
}
