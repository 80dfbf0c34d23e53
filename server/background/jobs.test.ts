import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createLog } from '../../platform/log.ts'
import { startBackend, type TestBackend } from '../../test/support/backend.ts'
import { newConversation, newPortal } from '../../test/support/conversations.ts'
import { scriptedSummarizer, scriptedTranscriber, wavOf } from '../../test/support/engines.ts'
import { tusClient } from '../../test/support/uploads.ts'
import { until } from '../../test/support/webhooks.ts'
import { JOB_KINDS } from '../staff/list-jobs.ts'
import { JOB_NAMES } from './jobs.ts'

const transcriber = scriptedTranscriber()
const logged: Record<string, unknown>[] = []
let backend: TestBackend
before(async () => {
  const log = createLog('warn', { write: (line) => void logged.push(JSON.parse(line)) })
  backend = await startBackend({ log, engines: { transcriber, summarizer: scriptedSummarizer() } })
})
after(() => backend.stop())

async function liveWait(): Promise<number> {
  const text = await backend.metrics.registry.metrics()
  return Number(/^parley_jobs_live_wait_seconds (\S+)$/m.exec(text)?.[1])
}

test('the staff API lists every job by its name', () => {
  assert.deepEqual(JOB_KINDS, JOB_NAMES)
})

test('the metrics show how long live chunks wait for a worker', async () => {
  assert.equal(await liveWait(), 0)
  const release = transcriber.hold()
  const { send } = await newConversation(await newPortal(backend))
  // One more than the engine transcribes at the same time.
  for (let seq = 0; seq <= transcriber.capabilities.concurrency; seq++)
    await send('PUT', `/chunks/${seq}`, wavOf(`Part ${seq}`))
  await until(liveWait, (seconds) => seconds > 0)
  release()
  await until(liveWait, (seconds) => seconds === 0)
})

test('uploads leave a worker free for live chunks where the engine transcribes a recording in one call', async () => {
  const portal = await newPortal(backend, { languages: ['nl'] })
  const release = transcriber.hold()
  const before = transcriber.requests.length
  const uploads = tusClient(backend.url, `/api/v2/projects/${portal.projectId}/uploads`, {
    authorization: `Bearer ${portal.owner.token}`,
  })
  for (let n = 0; n <= transcriber.capabilities.concurrency; n++) await uploads.upload(wavOf(`Upload ${n}`))
  await until(
    async () => transcriber.requests.length - before,
    (requests) => requests >= 3,
  )
  const { send } = await newConversation(portal, { language: 'nl' })
  await send('PUT', '/chunks/0', wavOf('Live'))
  await until(
    async () => transcriber.requests.some(({ language }) => language === 'nl'),
    (isTranscribed) => isTranscribed,
  )
  release()
})

const FAILURES: [said: string, text: string, line: object, msg: string][] = [
  [
    '!unreadable',
    '',
    { component: 'transcription', code: 'unreadable', reason: 'requested by the test', attempt: 1 },
    'Transcription of a chunk failed; the transcript gets a gap',
  ],
  [
    'Secret words',
    '?unreadable',
    { component: 'summaries', code: 'unreadable', reason: 'requested by the test', attempt: 1 },
    'Summary failed; the conversation is marked as failed',
  ],
  [
    '!retry-later',
    '',
    {
      component: 'jobs',
      task: 'transcribe',
      code: 'unavailable',
      reason: 'requested by the test',
      attempt: 1,
    },
    'Job failed; retrying in 3600 s',
  ],
  [
    '!misconfigured',
    '',
    {
      component: 'jobs',
      task: 'transcribe',
      code: 'misconfigured',
      reason: 'requested by the test',
      attempt: 1,
    },
    'Job failed; will retry',
  ],
]
for (const [said, text, line, msg] of FAILURES)
  test(`logs a failed job without transcript text: ${msg}`, async () => {
    const portal = await newPortal(backend)
    const { send } = await newConversation(portal, { participant_name: 'Ada Secret' })
    await send('PUT', '/chunks/0', wavOf(said))
    if (text) await send('POST', '/text', { content: text })
    await send('POST', '/finish')
    const [found] = await until(
      async () => logged.filter(({ project_id }) => project_id === portal.projectId),
      ({ length }) => length > 0,
    )
    const { level, time: _, ...fields } = found ?? {}
    assert.deepEqual([level, fields], ['warn', { ...line, project_id: portal.projectId, msg }])
  })

// Last: its retries occupy the worker that the test above keeps free.
test('a postponed job keeps its project and runs after the first attempts of others', async () => {
  const portal = await newPortal(backend)
  const { send } = await newConversation(portal)
  await send('PUT', '/chunks/0', wavOf('!interrupted'))
  const { rows } = await until(
    () =>
      backend.database.pool.query(
        `select group_id, priority from jobs.job where data ->> 'interrupted' = '1' and state < 'active'`,
      ),
    ({ rows }) => rows.length > 0,
  )
  assert.equal(rows[0].group_id, portal.projectId)
  // The lowest rank of live chunks.
  assert.equal(rows[0].priority, 20)
})
