import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from '../../../platform/log.ts'
import { openDiskStore } from '../../../storage/disk-store.ts'
import { scriptedSummarizer } from '../../../test/support/engines.ts'
import { until } from '../../../test/support/webhooks.ts'
import { lengthOf, recordClock, speak } from '../../../test/support/word-clock.ts'
import { createInfrastructure, startWorker } from '../../compose.ts'
import { backend, portal, query, recorded, setUp } from '../../conversations/testing/setup.ts'
import { type TwoModels, twoModels } from './testing/two-models.ts'

const breaths = speak([3, 12, 7, 20, 20, 20, 30, 6])
const words = breaths.flat().map(({ text }) => text)
setUp({ enqueues: true })

/** A worker beside the API, as in its own process. */
async function newWorker(transcriber: TwoModels): Promise<{ stop(): Promise<void> }> {
  const { databaseUrl, encryptionKey, filesFolder } = backend
  const infrastructure = createInfrastructure({
    databaseUrl,
    files: await openDiskStore(filesFolder),
    encryptionKey,
    egress: { allowHttp: true, allowNetworks: [], proxy: null },
    supervisesJobs: false,
    log: createLog('silent'),
  })
  await infrastructure.jobs.start()
  const worker = startWorker(infrastructure, {
    settings: { version: '0.0.0', publicUrl: 'http://parley.test', tierGates: true },
    groups: [],
    engines: async () => ({ transcriber, summarizer: scriptedSummarizer() }),
    logDays: 30,
  })
  await worker.ready
  return {
    stop: async () => {
      await worker.stop()
      await infrastructure.close()
    },
  }
}

test('a pass whose worker stops in the middle continues in the next one, and no part is lost or stored twice', async () => {
  const first = twoModels(breaths)
  const release = first.hold()
  const before = await newWorker(first)
  const { id } = await recorded([recordClock(0, lengthOf(breaths))])
  const parts = (engine: TwoModels, count: number) =>
    until(
      async () => engine.passed,
      (passed) => passed >= count,
    )
  await parts(first, 1)
  first.hold()
  release()
  await parts(first, 2)
  await before.stop()

  const second = twoModels(breaths)
  const after = await newWorker(second)
  const record = await until(
    async () => (await portal.owner.get(`/api/v2/conversations/${id}`)).body,
    ({ revision, status }) => revision === 2 && status === 'done',
  )
  await after.stop()
  assert.equal(record.transcript_model, 'thorough')
  const { body } = await portal.owner.get(`/api/v2/conversations/${id}/transcript?format=json`)
  assert.deepEqual(
    body.entries.flatMap(({ text }: { text: string }) => text.split(' ')),
    words,
  )
  // The part that was interrupted, and those after it.
  const [, interrupted] = first.requests.filter(({ quality }) => quality === 'best')
  assert.deepEqual(second.requests[0], interrupted)
  const events = await query('select from events where subject_id = $1', [id])
  assert.equal(events.length, 5)
})
