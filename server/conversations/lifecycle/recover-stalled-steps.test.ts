import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startBackend, type TestBackend } from '../../../test/support/backend.ts'
import { newConversation, newPortal, type Portal, untilStatus } from '../../../test/support/conversations.ts'
import { scriptedSummarizer, scriptedTranscriber, wavOf } from '../../../test/support/engines.ts'
import { until } from '../../../test/support/webhooks.ts'
import { createEmitter } from '../../webhooks/index.ts'
import { recoverStalledSteps } from './recover-stalled.ts'

const transcriber = scriptedTranscriber()
let backend: TestBackend
let portal: Portal
before(async () => {
  backend = await startBackend({ engines: { transcriber, summarizer: scriptedSummarizer() } })
  portal = await newPortal(backend)
})
after(() => backend.stop())

const emit = createEmitter({ publicUrl: 'http://parley.test', tierGates: true })
const renew = () => recoverStalledSteps({ jobs: backend.jobs, emit }, backend.database.db)

async function recorded(): Promise<{ id: string; token: string }> {
  const conversation = await newConversation(portal)
  await conversation.send('PUT', '/chunks/0', wavOf('Benches'))
  await conversation.send('POST', '/finish')
  return conversation
}

/** As it was when its job was lost, some hours ago. */
async function stopAt(id: string, status: 'transcribing' | 'summarizing'): Promise<void> {
  const { pool } = backend.database
  await pool.query(
    `update conversations set status = $2, finished_at = now() - interval '2 hours' where id = $1`,
    [id, status],
  )
  if (status === 'transcribing')
    await pool.query(
      `update chunks set state = 'stored', waits_for_previous = true where conversation_id = $1`,
      [id],
    )
}

for (const status of ['transcribing', 'summarizing'] as const)
  test(`a conversation that came to a stop while ${status} goes on`, async () => {
    const { id, token } = await recorded()
    await untilStatus(portal, id, token, 'done')
    await stopAt(id, status)
    assert.equal(await renew(), 1)
    await untilStatus(portal, id, token, 'done')
    assert.equal(await renew(), 0)
  })

test('one whose job waits or runs is left to it', async () => {
  const release = transcriber.hold()
  const before = transcriber.requests.length
  const { id, token } = await recorded()
  await until(
    async () => transcriber.requests.length,
    (hearings) => hearings > before,
  )
  await backend.database.pool.query(
    `update conversations set finished_at = now() - interval '2 hours' where id = $1`,
    [id],
  )
  assert.equal(await renew(), 0)
  release()
  await untilStatus(portal, id, token, 'done')
})
