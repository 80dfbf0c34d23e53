import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readlink, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { createLog } from '../../platform/log.ts'
import { startBackend, type TestBackend } from '../../test/support/backend.ts'
import { newConversation, newPortal, type Portal, untilStatus } from '../../test/support/conversations.ts'
import { scriptedTranscriber, wavOf } from '../../test/support/engines.ts'
import { ownClock } from '../../test/support/own-clock.ts'
import { newMember } from '../../test/support/tenants.ts'
import { until } from '../../test/support/webhooks.ts'
import { chunkKey } from '../conversations/index.ts'
import { createExtractiveSummarizer } from '../summaries/engines/extractive/summarizer.ts'
import { pngOf } from '../tenancy/projects/logo/testing/images.ts'

let backend: TestBackend
let folder: string
const clock = ownClock()
const logged: string[] = []
/** An open download of a failed test would keep the backend from stopping. */
const downloads: AbortController[] = []
before(async () => {
  const log = createLog('error', { write: (line) => void logged.push(line) })
  backend = await startBackend({
    log,
    clock,
    engines: { transcriber: scriptedTranscriber(), summarizer: createExtractiveSummarizer() },
  })
  folder = await mkdtemp(join(tmpdir(), 'parley-export-'))
})
after(async () => {
  for (const download of downloads) download.abort()
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

const authorization = ({ owner }: Pick<Portal, 'owner'>) => ({ authorization: `Bearer ${owner.token}` })

/** Creates an export, and returns its path. */
async function exportPath({ owner, workspaceId }: Portal, options?: object): Promise<string> {
  const { status, body, headers } = await owner.post(`/api/v2/workspaces/${workspaceId}/export`, options)
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

const fetchZip = async (portal: Portal, path?: string) =>
  fetch(`${backend.url}${path ?? (await exportPath(portal))}?format=zip`, { headers: authorization(portal) })

async function downloaded(portal: Portal, path?: string): Promise<Map<string, Buffer>> {
  const response = await fetchZip(portal, path)
  assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'application/zip'])
  return unpacked(Buffer.from(await response.arrayBuffer()))
}

const jsonIn = (files: Map<string, Buffer>, end: string) => JSON.parse(String(fileOf(files, end)))

const fileOf = (files: Map<string, Buffer>, end: string): Buffer => {
  const names = [...files.keys()].filter((name) => name.endsWith(end))
  assert.equal(names.length, 1, `one file ends with ${end}: ${[...files.keys()].join(', ')}`)
  return files.get(names[0] as string) as Buffer
}

const pathOfChunk = async (id: string): Promise<string> => {
  const digests = 'select digest from chunks where conversation_id = $1'
  const { rows } = await backend.database.pool.query(digests, [id])
  return join(backend.filesFolder, 'files', chunkKey(id, 0, rows[0].digest))
}

/** With more data than sockets buffer, so that a download lasts until it is read. */
async function largeWorkspace(): Promise<Portal> {
  const portal = await newPortal(backend)
  const { send } = await newConversation(portal)
  await send('PUT', '/chunks/0', Buffer.concat([wavOf('long', 1), Buffer.alloc(20_000_000)]))
  return portal
}

/** Begins to read a zip, and stops after the first bytes. */
async function download(portal: Portal, caller = portal.owner, method = 'GET') {
  const path = await exportPath({ ...portal, owner: caller })
  const disconnected = new AbortController()
  downloads.push(disconnected)
  const { signal } = disconnected
  const { status, headers, body } = await fetch(`${backend.url}${path}?format=zip`, {
    method,
    headers: authorization({ owner: caller }),
    signal,
  })
  const reader = body?.getReader()
  const first = (await reader?.read())?.value ?? new Uint8Array()
  return {
    status,
    headers,
    /** Reads the rest, and returns the whole. */
    async all(): Promise<Buffer> {
      const parts = [first]
      for (let part = await reader?.read(); part && !part.done; part = await reader?.read())
        parts.push(part.value)
      return Buffer.concat(parts)
    },
    disconnect: () => disconnected.abort(),
  }
}

test('exports projects, conversations, recordings and reports as one zip', async () => {
  const portal = await newPortal(backend, { name: 'The Park' })
  const id = await recorded(portal, SAID, { participant_name: 'Ada' })
  const logoPath = `/api/v2/projects/${portal.projectId}/logo`
  await portal.owner.send('PUT', logoPath, pngOf(8, 8, [1, 2, 3, 255]), { 'content-type': 'image/png' })
  const report = await reported(portal, 'What people said')
  const files = await downloaded(portal)
  const get = async (path: string) => {
    const response = await fetch(`${backend.url}/api/v2/${path}`, { headers: authorization(portal) })
    return Buffer.from(await response.arrayBuffer())
  }
  assert.equal(JSON.parse(String(files.get('workspace.json'))).id, portal.workspaceId)
  assert.match(String(files.get('README.txt')), /conversation\.json/)
  assert.equal(jsonIn(files, '/project.json').name, 'The Park')
  const logo = await fetch(`${backend.url}${jsonIn(files, '/project.json').logo_url}`)
  assert.ok(fileOf(files, '/logo.png').equals(Buffer.from(await logo.arrayBuffer())))
  const { transcript, ...rest } = jsonIn(files, '/conversation.json')
  assert.deepEqual(rest, JSON.parse(String(await get(`conversations/${id}`))))
  assert.deepEqual(
    transcript.map(({ text }: { text: string }) => text),
    SAID.split('\n'),
  )
  for (const format of ['md', 'vtt']) {
    const transcript = await get(`conversations/${id}/transcript?format=${format}`)
    assert.ok(fileOf(files, `/transcript.${format}`).equals(transcript))
  }
  assert.ok(fileOf(files, '/audio.wav').equals(await get(`conversations/${id}/audio`)))
  for (const format of ['md', 'html'])
    assert.ok(fileOf(files, `/report.${format}`).equals(await get(`reports/${report}?format=${format}`)))
  assert.equal(jsonIn(files, '/report.json').id, report)
})

test('exports every consent text of a project', async () => {
  const portal = await newPortal(backend, { consent_text: 'We keep it for a year.' })
  const { id } = await newConversation(portal, { consent: true })
  await portal.owner.send('PATCH', `/api/v2/projects/${portal.projectId}`, {
    consent_text: 'We keep nothing.',
  })
  const files = await downloaded(portal)
  const texts = jsonIn(files, '/consent-texts.json')
  assert.deepEqual(
    texts.map(({ text, language }: Record<string, string>) => [text, language]),
    [
      ['We keep it for a year.', 'und'],
      ['We keep nothing.', 'und'],
    ],
  )
  const record = jsonIn(files, '/conversation.json')
  assert.deepEqual([record.id, record.consent.text_sha256], [id, texts[0].version])
})

test('an export without audio has a URL, an expiry and no recordings', async () => {
  const portal = await newPortal(backend)
  await recorded(portal)
  const path = await exportPath(portal, { audio: false })
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

test('exports the chunks of a recording in progress unchanged', async () => {
  const portal = await newPortal(backend)
  const { send } = await newConversation(portal)
  const parts = [wavOf('one', 1), wavOf('two', 2)]
  for (const [seq, part] of parts.entries()) await send('PUT', `/chunks/${seq}`, part)
  const files = await downloaded(portal)
  for (const [seq, part] of parts.entries()) assert.ok(fileOf(files, `/audio/0000${seq}.wav`).equals(part))
})

test('names cannot leave their folder, and equal names do not collide', async () => {
  const portal = await newPortal(backend, { name: '../../etc/🎙 مرحبا' })
  for (let n = 0; n < 2; n++) {
    const { id } = await newConversation(portal)
    await portal.owner.send('PATCH', `/api/v2/conversations/${id}`, { title: '../C:\\same\n' })
  }
  const names = [...(await downloaded(portal)).keys()]
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

test('leaves out deleted conversations, also those deleted during the download', async () => {
  const portal = await newPortal(backend)
  const [first, second, gone] = [
    await recorded(portal),
    await recorded(portal, 'The xylophonecanary sings.'),
    await recorded(portal, 'The glockenspielcanary sings.'),
  ]
  const projects = `/api/v2/workspaces/${portal.workspaceId}/projects`
  const { id: projectId } = (await portal.owner.post(projects, { name: 'Later' })).body
  await newConversation({ ...portal, url: `${backend.url}/api/participant/projects/${projectId}` })
  await portal.owner.send('DELETE', `/api/v2/conversations/${gone}`)
  // More than sockets buffer, so that the second conversation is not read yet.
  const chunk = Buffer.concat([wavOf('long', 1), Buffer.alloc(24_000_000)])
  await backend.database.pool.query('update conversations set audio = null where id = $1', [first])
  await writeFile(await pathOfChunk(first), chunk)
  const zip = await download(portal)
  assert.equal((await portal.owner.send('DELETE', `/api/v2/conversations/${second}`)).status, 204)
  assert.equal((await portal.owner.send('DELETE', `/api/v2/projects/${projectId}`)).status, 204)
  const files = await unpacked(await zip.all())
  assert.ok(fileOf(files, '/audio/00000.wav').equals(chunk))
  assert.equal(jsonIn(files, '/conversation.json').id, first)
  assert.equal(jsonIn(files, '/project.json').id, portal.projectId)
  assert.doesNotMatch(String(Buffer.concat([...files.values()])), /xylophonecanary|glockenspielcanary/)
})

test('exports more conversations than one batch', async () => {
  const portal = await newPortal(backend)
  await backend.database.pool.query(
    `insert into conversations (id, project_id, status, source)
     select gen_random_uuid(), $1, 'done', 'portal_audio' from generate_series(1, 1203)`,
    [portal.projectId],
  )
  const names = [...(await downloaded(portal)).keys()]
  assert.equal(names.filter((name) => name.endsWith('/conversation.json')).length, 1203)
})

test('audits the export and each download', async () => {
  const portal = await newPortal(backend)
  const path = await exportPath(portal)
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

test('a user without the role cannot download the zip', async () => {
  const portal = await newPortal(backend)
  const workspace = `/api/v2/workspaces/${portal.workspaceId}`
  const admin = await newMember(backend, portal.owner, workspace, 'admin')
  const path = await exportPath({ ...portal, owner: admin })
  await portal.owner.send('PATCH', `${workspace}/members/${admin.userId}`, { role: 'member' })
  const refused = await admin.get(`${path}?format=zip`)
  assert.deepEqual([refused.status, refused.body.code], [403, 'capability_required'])
})

test('leaves no file open after a disconnect or a HEAD request', async () => {
  const portal = await largeWorkspace()
  const head = await download(portal, portal.owner, 'HEAD')
  assert.deepEqual([head.status, head.headers.get('content-type')], [200, 'application/zip'])
  const { disconnect } = await download(portal)
  disconnect()
  await until(openFiles, (paths) => paths.length === 0)
})

test('an unreadable recording ends the zip, with a log entry', async () => {
  const portal = await newPortal(backend)
  const { id, send } = await newConversation(portal)
  await send('PUT', '/chunks/0', wavOf('one', 1))
  const path = await pathOfChunk(id)
  await rm(path)
  await mkdir(path)
  const before = logged.length
  const response = await fetchZip(portal)
  await assert.rejects(response.arrayBuffer())
  assert.match(logged.slice(before).join(''), /Response stream failed/)
})

/** Open recordings of this process. */
async function openFiles(): Promise<string[]> {
  const descriptors = await readdir('/proc/self/fd').catch(() => [])
  const paths = await Promise.all(descriptors.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')))
  return paths.filter((path) => path.startsWith(backend.filesFolder))
}

test('limits a workspace to two downloads, until one ends or disconnects', async () => {
  const [portal, other] = [await largeWorkspace(), await largeWorkspace()]
  assert.equal((await download(portal, portal.owner, 'HEAD')).status, 200, 'a HEAD request does not count')
  const [first, second] = [await download(portal), await download(portal)]
  assert.deepEqual([first.status, second.status], [200, 200])
  const refused = await download(portal)
  assert.equal(refused.status, 429)
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  const elsewhere = await download(other)
  assert.equal(elsewhere.status, 200)
  elsewhere.disconnect()
  first.disconnect()
  const third = await until(
    () => download(portal),
    ({ status }) => status === 200,
  )
  assert.equal((await download(portal)).status, 429)
  assert.ok((await second.all()).length > 19_000_000)
  const fourth = await until(
    () => download(portal),
    ({ status }) => status === 200,
  )
  third.disconnect()
  fourth.disconnect()
})

test('ends the download of a removed member with a log entry, and no other download', async () => {
  const portal = await largeWorkspace()
  const workspace = `/api/v2/workspaces/${portal.workspaceId}`
  const admin = await newMember(backend, portal.owner, workspace, 'admin')
  const members = `${workspace}/members`
  const [removed, stays] = [await download(portal, admin), await download(portal)]
  assert.equal((await portal.owner.send('DELETE', `${members}/${admin.userId}`)).status, 204)
  clock.advance(31)
  await assert.rejects(removed.all())
  assert.ok((await stays.all()).length > 19_000_000)
  const line = logged.findLast((text) => text.includes('Response stream failed')) ?? ''
  assert.equal(JSON.parse(line).err.code, 'not_found')
})
