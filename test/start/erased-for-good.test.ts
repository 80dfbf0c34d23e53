import assert from 'node:assert/strict'
import { cp, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { newEncryptionKey } from '../../platform/encryption.ts'
import { type Caller, callerOf, request } from '../support/backend.ts'
import { participantOf } from '../support/conversations.ts'
import { copyOf, emptyDatabase, type TestDatabase } from '../support/database.ts'
import { filesBelow, placesOf } from '../support/dump.ts'
import {
  newPassword,
  removeFolder,
  type Service,
  signIn,
  startService,
  temporaryFolder,
} from '../support/service.ts'
import { until } from '../support/webhooks.ts'

const WRITTEN = 'xylophonecanary'
/** In the recording, and nowhere else in what the service says or stores. */
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
  const host = callerOf(service.address('Backend'), 'admin', await signIn(service, password))
  const result = await work(service, host)
  service.child.kill('SIGTERM')
  assert.equal((await service.ended).code, 0, service.output())
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

async function newProject(host: Caller): Promise<string> {
  const organisation = (await host.post('/api/v2/organisations', { name: 'O' })).body.id
  const workspaces = `/api/v2/organisations/${organisation}/workspaces`
  const workspace = (await host.post(workspaces, { name: 'W' })).body.id
  const project = { name: 'P', language: 'en' }
  return (await host.post(`/api/v2/workspaces/${workspace}/projects`, project)).body.id
}

/** Recorded, written to, summarised, and quoted in a public report. */
async function speak(service: Service, host: Caller): Promise<{ conversation: string; report: string }> {
  const project = await newProject(host)
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

test('what was erased is nowhere any more, and stays so when yesterday’s backup of the files or of the database is restored', async () => {
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

  // The other way about: the database is of today, the files are of yesterday, and so is the journal among them.
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
    for (const word of [WRITTEN, SPOKEN]) assert.ok(!output.includes(word), 'no log tells it')
})
