import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from '../../platform/log.ts'
import { newConversation } from '../../test/support/conversations.ts'
import { scriptedSummarizer } from '../../test/support/engines.ts'
import { backend, lifecycle, portal, query, setUp } from '../conversations/testing/setup.ts'
import { EngineFailure } from '../engines/engine-failure.ts'
import { summarizeConversation } from './summarize-conversation.ts'

// The test runs the jobs itself.
setUp({ enqueues: true })

test('a model that stays unavailable ends in selected sentences, and the summary says so', async () => {
  const { id, send } = await newConversation(portal)
  await send('POST', '/text', { content: 'The benches in the park are broken.' })
  await send('POST', '/finish')
  const [{ status, revision }] = await query('select status, revision from conversations where id = $1', [id])
  assert.equal(status, 'summarizing')
  const parts = {
    ...lifecycle(),
    db: backend.database.db,
    log: createLog('silent'),
    summarizer: {
      ...scriptedSummarizer(),
      summarize: () => Promise.reject(new EngineFailure('unavailable', 'the model is loading')),
    },
  }
  const attempt = (retry: number) =>
    summarizeConversation(parts, {
      data: { conversation_id: id, revision },
      projectId: null,
      priority: 0,
      retry,
      isLast: false,
      signal: new AbortController().signal,
    })
  for (let retry = 0; retry < 7; retry++) await assert.rejects(attempt(retry), { code: 'unavailable' })
  await attempt(7)
  const { body } = await portal.owner.get(`/api/v2/conversations/${id}`)
  assert.deepEqual(
    [body.status, body.summary_details.method, body.summary_details.fallback],
    ['done', 'extractive', 'unavailable'],
  )
  assert.match(body.summary, /benches/)
})
