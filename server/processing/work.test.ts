import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startBackend, type TestBackend } from '../../test/support/backend.ts'
import { newConversation, newPortal } from '../../test/support/conversations.ts'
import { scriptedSummarizer, scriptedTranscriber, wavOf } from '../../test/support/engines.ts'
import { until } from '../../test/support/webhooks.ts'

const transcriber = scriptedTranscriber()
let backend: TestBackend
before(async () => {
  backend = await startBackend({ engines: { transcriber, summarizer: scriptedSummarizer() } })
})
after(() => backend.stop())

async function liveWait(): Promise<number> {
  const text = await backend.metrics.registry.metrics()
  return Number(/^parley_jobs_live_wait_seconds (\S+)$/m.exec(text)?.[1])
}

test('the metrics tell how long live chunks wait for a worker', async () => {
  assert.equal(await liveWait(), 0)
  const release = transcriber.hold()
  const { send } = await newConversation(await newPortal(backend))
  // One more than are heard at once.
  for (let seq = 0; seq <= transcriber.capabilities.concurrency; seq++)
    await send('PUT', `/chunks/${seq}`, wavOf(`Part ${seq}`))
  await until(liveWait, (seconds) => seconds > 0)
  release()
  await until(liveWait, (seconds) => seconds === 0)
})
