import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from '../../platform/log.ts'
import { newConversation } from '../../test/support/conversations.ts'
import { scriptedSummarizer } from '../../test/support/engines.ts'
import { backend, jobOf, lifecycle, portal, query, setUp } from '../conversations/testing/setup.ts'
import { EngineFailure } from '../engines/engine-failure.ts'
import { summarizeConversation } from './summarize-conversation.ts'

// The test runs the jobs itself.
setUp({ enqueues: true })

const job = (conversation_id: string, revision: number, retry = 0) =>
  jobOf({ conversation_id, revision }, retry)

/** A conversation with this text that waits for its summary. */
async function finished(content: string): Promise<{ id: string; revision: number }> {
  const { id, send } = await newConversation(portal)
  await send('POST', '/text', { content })
  await send('POST', '/finish')
  const [{ status, revision }] = await query('select status, revision from conversations where id = $1', [id])
  assert.equal(status, 'summarizing')
  return { id, revision }
}

for (const [model, code, attempts] of [
  ['a model that stays unavailable', 'unavailable', 8],
  // Each attempt is up to three requests: with different formats of the response.
  ['a model that rejects every request', 'misconfigured', 4],
] as const)
  test(`${model} ends in selected sentences after ${attempts} attempts, and the summary says so`, async () => {
    const { id, revision } = await finished('The benches in the park are broken.')
    const parts = {
      ...lifecycle(),
      db: backend.database.db,
      log: createLog('silent'),
      summarizer: {
        ...scriptedSummarizer(),
        summarize: () => Promise.reject(new EngineFailure(code, 'requested by the test')),
      },
    }
    const attempt = (retry: number) => summarizeConversation(parts, job(id, revision, retry))
    for (let retry = 0; retry < attempts - 1; retry++) await assert.rejects(attempt(retry), { code })
    await attempt(attempts - 1)
    const { body } = await portal.owner.get(`/api/v2/conversations/${id}`)
    assert.deepEqual(
      [body.status, body.summary_details.method, body.summary_details.fallback],
      ['done', 'extractive', 'unavailable'],
    )
    assert.match(body.summary, /benches/)
  })

test('a conversation of which no word was understood says so, and no model is asked', async () => {
  const { id, revision } = await finished('[unclear] [unclear].')
  const summarizer = {
    ...scriptedSummarizer(),
    summarize: () => Promise.reject(new Error('the model was asked')),
  }
  const parts = { ...lifecycle(), db: backend.database.db, log: createLog('silent'), summarizer }
  await summarizeConversation(parts, job(id, revision))
  const { body } = await portal.owner.get(`/api/v2/conversations/${id}`)
  assert.deepEqual([body.status, body.title, body.summary], ['done', 'Nothing could be understood', ''])
})
