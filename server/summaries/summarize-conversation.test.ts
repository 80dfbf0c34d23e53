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

test('a model that stays unavailable ends in selected sentences, and the summary says so', async () => {
  const { id, revision } = await finished('The benches in the park are broken.')
  const parts = {
    ...lifecycle(),
    db: backend.database.db,
    log: createLog('silent'),
    summarizer: {
      ...scriptedSummarizer(),
      summarize: () => Promise.reject(new EngineFailure('unavailable', 'the model is loading')),
    },
  }
  const attempt = (retry: number) => summarizeConversation(parts, job(id, revision, retry))
  for (let retry = 0; retry < 7; retry++) await assert.rejects(attempt(retry), { code: 'unavailable' })
  await attempt(7)
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
