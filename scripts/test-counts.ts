import type { TestEvent } from 'node:test/reporters'

export interface TestCounts {
  tests: number
  failed: number
}

/** Writes how many tests a process had, and how many of them failed. */
export default async function* countTests(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of source) {
    if (type !== 'test:summary') continue
    const { tests, passed, skipped, todo } = data.counts
    yield JSON.stringify({ tests, failed: tests - passed - skipped - todo } satisfies TestCounts)
  }
}
