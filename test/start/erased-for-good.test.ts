import assert from 'node:assert/strict'
import { cp, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { newEncryptionKey } from '../../platform/encryption.ts'
import { type Caller, request } from '../support/backend.ts'
import { participantOf } from '../support/conversations.ts'
import { copyOf, emptyDatabase, type TestDatabase } from '../support/database.ts'
import { filesBelow, placesOf } from '../support/dump.ts'
import {
  asAdmin,
  newPassword,
  removeFolder,
  type Service,
  startService,
  temporaryFolder,
} from '../support/service.ts'
import { newTenantOf } from '../support/tenants.ts'
import { until } from '../support/webhooks.ts'

const WRITTEN = 'xylophonecanary'
/** A word in the recording that the service uses nowhere else. */
const SPOKEN = 'Dashwood'
const RECORDING = join(import.meta.dirname, '../../speech/samples/en-librivox-1.flac')

let folder: string
let database: TestDatabase
let yesterday: TestDatabase | null = null
const logs: string[] = []
const password = newPassword()
const key = newEncryptionKey()
before(async () => {
  folder = await temporaryFolder()
  database = await emptyDatabase()
})
after(async () => {
  await database.drop()
  await yesterday?.drop()
  await removeFolder(folder)
})

/** The whole service on one of the databases, and its files, which no restore touches. */
async function withService<T>(on: TestDatabase, work: (service: Service, host: Caller) => Promise<T>) {
  const environment = {
    ADMIN_PASSWORD: password,
    DATABASE_URL: on.url,
    ENCRYPTION_KEY: key,
    LOG_LEVEL: 'debug',
  }
  const service = await startService(folder, { environment })
  const host = await asAdmin(service, password)
  const result = await work(service, host)
  await service.stop()
  logs.push(service.output())
  return result
}

async function canariesIn({ url }: TestDatabase): Promise<string[]> {
  const pool = new pg.Pool({ connectionString: url })
  const places = [
    ...(await placesOf(WRITTEN, pool, join(folder, 'files'))),
    ...(await placesOf(SPOKEN, pool, join(folder, 'files'))),
  ]
  await pool.end()
  return places
}

/** Recorded, written to, summarised, and quoted in a public report. */
async function speak(service: Service, host: Caller): Promise<{ conversation: string; report: string }> {
  const { project } = await newTenantOf(host, { language: 'en' })
  const backendUrl = service.address('Backend')
  const start = { participant_name: `Ada ${WRITTEN}`, tags: [WRITTEN] }
  const started = await request(
    `${backendUrl}/api/participant/projects/${project}/conversations`,
    'POST',
    start,
  )
  const { id, token } = started.body
  const send = participantOf(backendUrl, id, token)
  const recording = await readFile(RECORDING)
  assert.equal((await send('PUT', '/chunks/0', recording, { 'content-type': 'audio/flac' })).status, 201)
  await send('POST', '/text', { content: `I wrote that the ${WRITTEN} sings in the park every morning.` })
  await send('POST', '/finish')
  await untilIs(host, `/api/v2/conversations/${id}`, 'done')
  const asked = await host.post(`/api/v2/projects/${project}/reports`, { title: 'What people told us' })
  const report = `/api/v2/reports/${asked.body.id}`
  await untilIs(host, report, 'ready')
  assert.equal((await host.send('PATCH', report, { published: true })).status, 200)
  const text = (await host.get(`${report}?format=md`)).text
  assert.ok(text.includes(SPOKEN) || text.includes(WRITTEN), `the report quotes a canary: ${text}`)
  return { conversation: `/api/v2/conversations/${id}`, report }
}

const untilIs = (host: Caller, path: string, status: string) =>
  until(
    () => host.get(path),
    ({ body }) => body.status === status,
    120_000,
  )

test('an erased conversation leaves no trace, also after a restore of an older backup of the files or of the database', async () => {
  const { conversation, report } = await withService(database, speak)
  const before = await canariesIn(database)
  for (const place of [
    'conversations',
    'text_entries',
    'segments',
    'conversation_words',
    'reports',
    'events',
  ])
    assert.ok(
      before.some((found) => found.includes(place)),
      `a canary was in ${place}: ${before.join()}`,
    )
  yesterday = await copyOf(database)
  const files = join(folder, 'files')
  await cp(files, `${files} of yesterday`, { recursive: true })

  await withService(database, async (_, host) => {
    assert.equal((await host.send('DELETE', conversation)).status, 204)
    await until(
      () => canariesIn(database),
      (places) => places.length === 0,
    )
  })
  assert.notDeepEqual(await canariesIn(yesterday), [], 'the backup holds it')

  // Today's database with yesterday's files, and with them yesterday's journal of erasures.
  await rename(files, `${files} of today`)
  await rename(`${files} of yesterday`, files)
  const recordings = join(files, 'files/conversations')
  assert.notDeepEqual(await filesBelow(recordings), [])
  await withService(database, () =>
    until(
      () => filesBelow(recordings),
      (paths) => paths.length === 0,
      30_000,
    ),
  )

  await withService(yesterday, async (_, host) => {
    await until(
      () => canariesIn(yesterday as TestDatabase),
      (places) => places.length === 0,
    )
    assert.equal((await host.get(conversation)).status, 404)
    const text = (await host.get(`${report}?format=md`)).text
    assert.ok(!text.includes(SPOKEN) && !text.includes(WRITTEN))
  })
  for (const output of logs)
    for (const word of [WRITTEN, SPOKEN]) assert.ok(!output.includes(word), 'not in the log')
})
