import type { Words } from '../words/en/index.ts'

/** Why a conversation failed, in words. A reason that this page does not know yet is shown as the API names it. */
export function failureText(failure: string, { conversation }: Words): string {
  const cause = failure.replace(/^summary_/, '')
  const reason = conversation.failures[cause] ?? cause
  return cause === failure ? reason : `${conversation.failedSummary} ${reason}`
}
