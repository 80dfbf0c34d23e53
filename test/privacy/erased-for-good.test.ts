import assert from 'node:assert/strict'
import { cp, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { newEncryptionKey } from '../../platform/encryption.ts'
import { type Caller, request } from '../support/backend.ts'
import { participantOf } from '../support/conversations.ts'
import { filesBelow, findWord } from '../support/database/dump.ts'
import { copyOf, type TestDatabase, testDatabase } from '../support/database.ts'
import { asAdmin, newPassword, type Service, startService, temporaryFolder } from '../support/service.ts'
import { newTenantOf } from '../support/tenants.ts'
import { until } from '../support/webhooks.ts'

const WRITTEN = 'xylophonecanary'
/** A word in the recording that the service uses nowhere else. */
const SPOKEN = 'Dashwood'
const RECORDING = join(import.meta.dirname, '../../speech/samples/en-librivox-1.flac')

const folder = await temporaryFolder()
const database = await testDatabase()
let yesterday: TestDatabase | null = null
const logs: string[] = []
const password = newPassword()
const key = newEncryptionKey()
after(async () => {
  await database.drop()
  await yesterday?.drop()
})

/** Runs the service on one of the databases, always with the same files. */
async function withService<T>(database: TestDatabase, work: (service: Service, host: Caller) => Promise<T>) {
  const settings = { ADMIN_PASSWORD: password, ENCRYPTION_KEY: key, LOG_LEVEL: 'debug' }
  const service = await startService(folder, { environment: { ...settings, DATABASE_URL: database.url } })
  const host = await asAdmin(service, password)
  const result = await work(service, host)
  await service.stop()
  logs.push(service.output())
  return result
}

async function canariesIn({ url }: TestDatabase): Promise<string[]> {
  const pool = new pg.Pool({ connectionString: url })
  const found = [WRITTEN, SPOKEN].map((word) => findWord(word, pool, join(folder, 'files')))
  const places = (await Promise.all(found)).flat()
  await pool.end()
  return places
}

/** Records a conversation with a text entry, and quotes it in a published report. */
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
  await untilStatusIs(host, `/api/v2/conversations/${id}`, 'done')
  const asked = await host.post(`/api/v2/projects/${project}/reports`, { title: 'What people told us' })
  const report = `/api/v2/reports/${asked.body.id}`
  await untilStatusIs(host, report, 'ready')
  assert.equal((await host.send('PATCH', report, { published: true })).status, 200)
  const text = (await host.get(`${report}?format=md`)).text
  assert.ok(text.includes(SPOKEN) || text.includes(WRITTEN), `the report quotes a canary: ${text}`)
  return { conversation: `/api/v2/conversations/${id}`, report }
}

const untilEmpty = (read: () => Promise<string[]>) => until(read, ({ length }) => length === 0)

const untilStatusIs = (host: Caller, path: string, status: string) =>
  until(
    () => host.get(path),
    ({ body }) => body.status === status,
    120_000,
  )

test('an erased conversation stays erased after a restore of an older backup of the files or of the database', async () => {
  const { conversation, report } = await withService(database, speak)
  const before = await canariesIn(database)
  for (const table of [
    'conversations',
    'text_entries',
    'segments',
    'conversation_words',
    'reports',
    'events',
  ])
    assert.ok(before.join().includes(`parley.${table}`), `${table} has no canary: ${before.join()}`)
  yesterday = await copyOf(database)
  const files = join(folder, 'files')
  await cp(files, `${files} of yesterday`, { recursive: true })

  await withService(database, async (_, host) => {
    assert.equal((await host.send('DELETE', conversation)).status, 204)
    await untilEmpty(() => canariesIn(database))
  })
  assert.notDeepEqual(await canariesIn(yesterday), [], 'the backup contains it')

  // Today's database with yesterday's files, which include yesterday's journal of erasures.
  await rename(files, `${files} of today`)
  await rename(`${files} of yesterday`, files)
  const recordings = join(files, 'files/conversations')
  assert.notDeepEqual(await filesBelow(recordings), [])
  await withService(database, () => untilEmpty(() => filesBelow(recordings)))

  await withService(yesterday, async (_, host) => {
    await untilEmpty(() => canariesIn(yesterday as TestDatabase))
    assert.equal((await host.get(conversation)).status, 404)
    const text = (await host.get(`${report}?format=md`)).text
    assert.ok(!text.includes(SPOKEN) && !text.includes(WRITTEN))
  })
  for (const output of logs)
    for (const word of [WRITTEN, SPOKEN]) assert.ok(!output.includes(word), 'not in the log')
})
