import type { Summarizer } from '../../server/summaries/summarizer.ts'
import type { StatementSet } from './statements.ts'
import { sourcesOf } from './themes.ts'

const CONVERSATIONS = 300
const STATEMENTS_EACH = 30

/** The time of a report over 300 conversations of 30 statements each, about 12 minutes of speech. */
export async function measureSpeed(summarizer: Summarizer, sets: readonly StatementSet[]) {
  const texts = sets.filter(({ language }) => language === 'en').flatMap(({ statements }) => statements)
  const conversations = sourcesOf(
    'en',
    Array.from({ length: CONVERSATIONS }, (_, index) =>
      Array.from({ length: STATEMENTS_EACH }, (_one, place) => {
        // Another order in each conversation, because equal conversations would be faster.
        return texts[(index * 7 + place * (1 + (index % 5))) % texts.length]?.text ?? ''
      }),
    ),
  )
  const cpu = process.cpuUsage()
  const began = performance.now()
  await summarizer.report({
    title: null,
    language: 'en',
    instructions: null,
    conversations,
    signal: new AbortController().signal,
    onProgress: () => {},
  })
  const seconds = (performance.now() - began) / 1000
  const { user, system } = process.cpuUsage(cpu)
  return {
    conversations: CONVERSATIONS,
    statements_each: STATEMENTS_EACH,
    report_seconds: seconds,
    cpu_seconds: (user + system) / 1e6,
  }
}
