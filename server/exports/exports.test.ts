import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readlink, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { createLog } from '../../platform/log.ts'
import { newUser, startBackend, type TestBackend } from '../../test/support/backend.ts'
import { newConversation, newPortal, type Portal, untilStatus } from '../../test/support/conversations.ts'
import { scriptedTranscriber, wavOf } from '../../test/support/engines.ts'
import { until } from '../../test/support/webhooks.ts'
import { chunkKey } from '../conversations/index.ts'
import { createExtractiveSummarizer } from '../summaries/engines/extractive/summarizer.ts'

let backend: TestBackend
let folder: string
const logged: string[] = []
before(async () => {
  const log = createLog('warn', { write: (line) => void logged.push(line) })
  backend = await startBackend({
    log,
    engines: { transcriber: scriptedTranscriber(), summarizer: createExtractiveSummarizer() },
  })
  folder = await mkdtemp(join(tmpdir(), 'parley-export-'))
})
after(async () => {
  await backend.stop()
  await rm(folder, { recursive: true, force: true })
})

const SAID = 'The park needs more benches.\nThere is no light in the park at night.'

async function recorded(portal: Portal, said = SAID, start: object = {}): Promise<string> {
  const { id, token, send } = await newConversation(portal, start)
  await send('PUT', '/chunks/0', wavOf(said, 6))
  await send('POST', '/finish')
  await untilStatus(portal, id, token, 'done')
  await until(
    () => portal.owner.get(`/api/v2/conversations/${id}/audio`),
    ({ status }) => status === 200,
  )
  return id
}

async function reported({ owner, projectId }: Portal, title: string): Promise<string> {
  const { body } = await owner.post(`/api/v2/projects/${projectId}/reports`, { title })
  await until(
    () => owner.get(`/api/v2/reports/${body.id}`),
    (reply) => reply.body.status === 'ready',
  )
  return body.id
}

const authorization = ({ owner }: Portal) => ({ authorization: `Bearer ${owner.token}` })

/** Asks for an export, and answers with its path. */
async function asked({ owner, workspaceId }: Portal, wishes?: object): Promise<string> {
  const { status, body, headers } = await owner.post(`/api/v2/workspaces/${workspaceId}/export`, wishes)
  assert.equal(status, 202)
  const path = `/api/v2/workspaces/${workspaceId}/exports/${body.id}`
  assert.equal(headers.get('location'), path)
  return path
}

const READER = `
import json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as zip:
    print(json.dumps({i.filename: zip.read(i).decode('latin1') for i in zip.infolist()}))
`

let last = 0
/** The files of a zip, as Python reads them. */
async function unpacked(zip: Buffer): Promise<Map<string, Buffer>> {
  const path = join(folder, `${++last}.zip`)
  await writeFile(path, zip)
  const { stdout } = await promisify(execFile)('python3', ['-c', READER, path], { maxBuffer: 1e9 })
  const files = Object.entries(JSON.parse(stdout) as Record<string, string>)
  return new Map(files.map(([name, text]) => [name, Buffer.from(text, 'latin1')]))
}

async function downloaded(portal: Portal, path: string): Promise<Map<string, Buffer>> {
  const answer = await fetch(`${backend.url}${path}?format=zip`, { headers: authorization(portal) })
  assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'application/zip'])
  return unpacked(Buffer.from(await answer.arrayBuffer()))
}

const fileOf = (files: Map<string, Buffer>, end: string): Buffer => {
  const names = [...files.keys()].filter((name) => name.endsWith(end))
  assert.equal(names.length, 1, `one file ends with ${end}: ${[...files.keys()].join(', ')}`)
  return files.get(names[0] as string) as Buffer
}

test('a workspace comes as one zip: its projects, conversations, recordings and reports', async () => {
  const portal = await newPortal(backend, { name: 'The Park' })
  const id = await recorded(portal, SAID, { participant_name: 'Ada' })
  const report = await reported(portal, 'What people said')
  const files = await downloaded(portal, await asked(portal))
  const get = async (path: string) => {
    const answer = await fetch(`${backend.url}/api/v2/${path}`, { headers: authorization(portal) })
    return Buffer.from(await answer.arrayBuffer())
  }
  assert.equal(JSON.parse(String(files.get('workspace.json'))).id, portal.workspaceId)
  assert.match(String(files.get('README.txt')), /conversation\.json/)
  assert.equal(JSON.parse(String(fileOf(files, '/project.json'))).name, 'The Park')
  const record = JSON.parse(String(fileOf(files, '/conversation.json')))
  const { transcript, ...rest } = record
  assert.deepEqual(rest, JSON.parse(String(await get(`conversations/${id}`))))
  assert.deepEqual(
    transcript.map(({ text }: { text: string }) => text),
    SAID.split('\n'),
  )
  for (const format of ['md', 'vtt'])
    assert.ok(
      fileOf(files, `/transcript.${format}`).equals(
        await get(`conversations/${id}/transcript?format=${format}`),
      ),
    )
  assert.ok(fileOf(files, '/audio.wav').equals(await get(`conversations/${id}/audio`)))
  for (const format of ['md', 'html'])
    assert.ok(fileOf(files, `/report.${format}`).equals(await get(`reports/${report}?format=${format}`)))
  assert.equal(JSON.parse(String(fileOf(files, '/report.json'))).id, report)
})

test('every consent text that a project had comes along', async () => {
  const portal = await newPortal(backend, { consent_text: 'We keep it for a year.' })
  const { id } = await newConversation(portal, { consent: true })
  await portal.owner.send('PATCH', `/api/v2/projects/${portal.projectId}`, {
    consent_text: 'We keep nothing.',
  })
  const files = await downloaded(portal, await asked(portal))
  const texts = JSON.parse(String(fileOf(files, '/consent-texts.json')))
  assert.deepEqual(
    texts.map(({ text, language }: Record<string, string>) => [text, language]),
    [
      ['We keep it for a year.', 'en'],
      ['We keep nothing.', 'en'],
    ],
  )
  const record = JSON.parse(String(fileOf(files, '/conversation.json')))
  assert.deepEqual([record.id, record.consent.text_sha256], [id, texts[0].version])
})

test('the record says where the zip is and until when; recordings stay away when they are not wanted', async () => {
  const portal = await newPortal(backend)
  await recorded(portal)
  const path = await asked(portal, { audio: false })
  const { body } = await portal.owner.get(path)
  assert.deepEqual(
    [body.status, body.audio, body.url],
    ['ready', false, `http://parley.test${path}?format=zip`],
  )
  assert.equal(Date.parse(body.expires_at) - Date.parse(body.created_at), 86_400_000)
  const names = [...(await downloaded(portal, path)).keys()]
  assert.deepEqual(
    names.filter((name) => name.includes('audio')),
    [],
  )
  assert.ok(names.some((name) => name.endsWith('/transcript.md')))
  const refused = await portal.owner.post(`/api/v2/workspaces/${portal.workspaceId}/export`, { audio: 'no' })
  assert.deepEqual([refused.status, refused.body.errors[0].path], [422, 'audio'])
})

test('what is still being recorded comes in its parts, byte for byte', async () => {
  const portal = await newPortal(backend)
  const { send } = await newConversation(portal)
  const parts = [wavOf('one', 1), wavOf('two', 2)]
  for (const [seq, part] of parts.entries()) await send('PUT', `/chunks/${seq}`, part)
  const files = await downloaded(portal, await asked(portal))
  for (const [seq, part] of parts.entries()) assert.ok(fileOf(files, `/audio/0000${seq}.wav`).equals(part))
})

test('names lead nowhere but into their folders, and equal ones do not meet', async () => {
  const portal = await newPortal(backend, { name: '../../etc/🎙 مرحبا' })
  for (let n = 0; n < 2; n++) {
    const { id } = await newConversation(portal)
    await portal.owner.send('PATCH', `/api/v2/conversations/${id}`, { title: '../C:\\same\n' })
  }
  const names = [...(await downloaded(portal, await asked(portal))).keys()]
  assert.equal(new Set(names).size, names.length)
  assert.equal(names.filter((name) => name.endsWith('/conversation.json')).length, 2)
  for (const name of names) {
    assert.ok(!name.startsWith('/') && !name.includes('\\'), name)
    assert.ok(
      name.split('/').every((part) => part !== '..' && part !== '.' && part !== ''),
      name,
    )
  }
  assert.ok(names.some((name) => name.includes('🎙')))
})

test('what was deleted is not in it, nor what is erased while it is read', async () => {
  const portal = await newPortal(backend)
  const [first, second, gone] = [
    await recorded(portal),
    await recorded(portal, 'The xylophonecanary sings.'),
    await recorded(portal, 'The glockenspielcanary sings.'),
  ]
  const later = await portal.owner.post(`/api/v2/workspaces/${portal.workspaceId}/projects`, {
    name: 'Later',
  })
  const { id: projectId } = later.body
  await newConversation({ ...portal, url: `${backend.url}/api/participant/projects/${projectId}` })
  await portal.owner.send('DELETE', `/api/v2/conversations/${gone}`)
  // Larger than what sockets take in at once, so that the second one's turn has not come.
  const chunk = Buffer.concat([wavOf('long', 1), Buffer.alloc(24_000_000)])
  await backend.database.pool.query('update conversations set audio = null where id = $1', [first])
  const { digest } = (
    await backend.database.pool.query('select digest from chunks where conversation_id = $1', [first])
  ).rows[0]
  await writeFile(join(backend.filesFolder, 'files', chunkKey(first, 0, digest)), chunk)
  const answer = await fetch(`${backend.url}${await asked(portal)}?format=zip`, {
    headers: authorization(portal),
  })
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
  const pieces = [(await reader.read()).value as Uint8Array]
  assert.equal((await portal.owner.send('DELETE', `/api/v2/conversations/${second}`)).status, 204)
  assert.equal((await portal.owner.send('DELETE', `/api/v2/projects/${projectId}`)).status, 204)
  for (;;) {
    const { value, done } = await reader.read()
    if (done) break
    pieces.push(value)
  }
  const files = await unpacked(Buffer.concat(pieces))
  assert.ok(fileOf(files, '/audio/00000.wav').equals(chunk))
  assert.equal(JSON.parse(String(fileOf(files, '/conversation.json'))).id, first)
  assert.equal(JSON.parse(String(fileOf(files, '/project.json'))).id, portal.projectId)
  assert.doesNotMatch(String(Buffer.concat([...files.values()])), /xylophonecanary|glockenspielcanary/)
})

test('more conversations than are listed at once are all there', async () => {
  const portal = await newPortal(backend)
  await backend.database.pool.query(
    `insert into conversations (id, project_id, status, source)
     select gen_random_uuid(), $1, 'done', 'portal_audio' from generate_series(1, 1203)`,
    [portal.projectId],
  )
  const names = [...(await downloaded(portal, await asked(portal))).keys()]
  assert.equal(names.filter((name) => name.endsWith('/conversation.json')).length, 1203)
})

test('asking and each taking along leave a trace in the audit log, with who did it', async () => {
  const portal = await newPortal(backend)
  const path = await asked(portal)
  await downloaded(portal, path)
  await downloaded(portal, path)
  const { body } = await portal.owner.get(`/api/v2/organisations/${portal.organisationId}/audit`)
  const entries = body.data
    .filter(({ target_kind }: { target_kind: string }) => target_kind === 'export')
    .map((entry: Record<string, unknown>) => [entry['action'], entry['actor_id'], entry['workspace_id']])
  assert.deepEqual(
    entries,
    ['export.read', 'export.read', 'workspace.export'].map((action) => [
      action,
      portal.owner.userId,
      portal.workspaceId,
    ]),
  )
})

test('who lost the role loses the zip', async () => {
  const portal = await newPortal(backend)
  const userId = newUser()
  const admin = await backend.as(userId)
  const members = `/api/v2/workspaces/${portal.workspaceId}/members`
  await portal.owner.post(members, { user_id: userId, role: 'admin' })
  const path = await asked({ ...portal, owner: admin })
  await portal.owner.send('PATCH', `${members}/${userId}`, { role: 'member' })
  const refused = await admin.get(`${path}?format=zip`)
  assert.deepEqual([refused.status, refused.body.code], [403, 'capability_required'])
})

test('leaves no file open after a disconnect or a HEAD request', async () => {
  const portal = await newPortal(backend)
  const { send } = await newConversation(portal)
  await send('PUT', '/chunks/0', Buffer.concat([wavOf('long', 1), Buffer.alloc(20_000_000)]))
  const url = `${backend.url}${await asked(portal)}?format=zip`
  const headers = authorization(portal)
  const head = await fetch(url, { method: 'HEAD', headers })
  assert.deepEqual([head.status, head.headers.get('content-type')], [200, 'application/zip'])
  const away = new AbortController()
  const answer = await fetch(url, { headers, signal: away.signal })
  await (answer.body as ReadableStream<Uint8Array>).getReader().read()
  away.abort()
  await until(openFiles, (paths) => paths.length === 0)
})

test('a recording that can’t be read breaks the zip off, and the log tells of it', async () => {
  const portal = await newPortal(backend)
  const { id, send } = await newConversation(portal)
  await send('PUT', '/chunks/0', wavOf('one', 1))
  const { rows } = await backend.database.pool.query('select digest from chunks where conversation_id = $1', [
    id,
  ])
  const path = join(backend.filesFolder, 'files', chunkKey(id, 0, rows[0].digest))
  await rm(path)
  await mkdir(path)
  const answer = await fetch(`${backend.url}${await asked(portal)}?format=zip`, {
    headers: authorization(portal),
  })
  await assert.rejects(answer.arrayBuffer())
  assert.match(logged.join(''), /Response stream failed/)
})

/** Of the recordings, in this very process. */
async function openFiles(): Promise<string[]> {
  const descriptors = await readdir('/proc/self/fd').catch(() => [])
  const paths = await Promise.all(descriptors.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')))
  return paths.filter((path) => path.startsWith(backend.filesFolder))
}
