import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Reply, request, startBackend, type TestBackend } from '../../test/support/backend.ts'
import { newConversation, newPortal, type Portal, untilStatus } from '../../test/support/conversations.ts'
import { scriptedTranscriber, wavOf } from '../../test/support/engines.ts'
import { until } from '../../test/support/webhooks.ts'
import { createExtractiveSummarizer } from '../summaries/engines/extractive/summarizer.ts'
import { gatherMaterial } from './gather-material.ts'
import { generateReport } from './generate-report.ts'
import type { StoredDocument } from './stored-document.ts'

let backend: TestBackend
before(async () => {
  backend = await startBackend({
    engines: { transcriber: scriptedTranscriber(), summarizer: createExtractiveSummarizer() },
  })
})
after(() => backend.stop())

const SAID = [
  'The park needs more benches for old people.\nThere is no light in the park at night.\nBenches and light would bring people back to the park.',
  'The tram comes too late every morning.\nA tram every ten minutes would help the school children.\nThe school begins before the tram arrives.',
  'Our market square is loud.\nThe market should close at ten.\nThe xylophonecanary sings on the market every night.',
]

async function transcribed(
  portal: Portal,
): Promise<{ id: string; send: Awaited<ReturnType<typeof newConversation>>['send'] }[]> {
  const conversations = []
  for (const [n, said] of SAID.entries()) {
    const { id, token, send } = await newConversation(portal, { participant_name: `Person ${n}` })
    await send('PUT', '/chunks/0', wavOf(said, 9))
    await send('POST', '/finish')
    await untilStatus(portal, id, token, 'done')
    conversations.push({ id, send })
  }
  return conversations
}

async function ready({ owner, projectId }: Portal, wishes: object = {}): Promise<string> {
  const { status, body } = await owner.post(`/api/v2/projects/${projectId}/reports`, wishes)
  assert.deepEqual([status, body.status], [202, 'generating'])
  await until(
    () => owner.get(`/api/v2/reports/${body.id}`),
    (reply) => reply.body.status === 'ready',
  )
  return body.id
}

const read = (portal: Portal, id: string, format: string): Promise<Reply> =>
  portal.owner.get(`/api/v2/reports/${id}?format=${format}`)

test('a report over all conversations is a document with quotations that lead back to the second', async () => {
  const portal = await newPortal(backend)
  const conversations = await transcribed(portal)
  const id = await ready(portal, { title: 'What people said' })
  const record = await portal.owner.get(`/api/v2/reports/${id}`)
  assert.deepEqual(
    [record.body.title, record.body.conversation_count, record.body.progress, record.body.published],
    ['What people said', 3, 1, false],
  )
  const md = await read(portal, id, 'md')
  assert.match(md.text, /What people said/)
  assert.ok(conversations.some((one) => md.text.includes(`/conversations/${one.id}#t=`)))
  const html = await read(portal, id, 'html')
  assert.match(String(html.headers.get('content-type')), /^text\/html/)
  assert.match(String(html.headers.get('content-security-policy')), /default-src 'none'/)
  const pdf = await fetch(`${backend.url}/api/v2/reports/${id}?format=pdf`, {
    headers: { authorization: `Bearer ${portal.owner.token}` },
  })
  assert.deepEqual([pdf.status, pdf.headers.get('content-type')], [200, 'application/pdf'])
  assert.equal(
    Buffer.from(await pdf.arrayBuffer())
      .subarray(0, 5)
      .toString(),
    '%PDF-',
  )
})

test('a report cannot be shown in a frame of another page, in any format and as published', async () => {
  const portal = await newPortal(backend)
  await transcribed(portal)
  const id = await ready(portal)
  const published = await portal.owner.send('PATCH', `/api/v2/reports/${id}`, { published: true })
  assert.equal(published.status, 200)
  const paths = [
    ...['json', 'md', 'html', 'pdf'].map((format) => `/api/v2/reports/${id}?format=${format}`),
    `/api/participant/projects/${portal.projectId}/report`,
  ]
  for (const path of paths) {
    const { status, headers } = await portal.owner.get(path)
    assert.equal(status, 200, path)
    assert.match(
      headers.get('content-security-policy') ?? '',
      /default-src 'none'.*frame-ancestors 'none'$/,
      path,
    )
  }
})

test('report.generated is told once, with the transaction that makes it ready', async () => {
  const portal = await newPortal(backend)
  await transcribed(portal)
  const id = await ready(portal)
  const { rows } = await backend.database.pool.query(
    `select convert_from(full_body, 'UTF8')::json -> 'data' -> 'report' as report from events where subject_id = $1`,
    [id],
  )
  assert.equal(rows.length, 1)
  assert.deepEqual([rows[0].report.status, rows[0].report.conversation_count], ['ready', 3])
})

test('chosen conversations alone are reported on, and another project’s are refused', async () => {
  const portal = await newPortal(backend)
  const [park, tram] = await transcribed(portal)
  const stranger = await newConversation(await newPortal(backend))
  const refused = await portal.owner.post(`/api/v2/projects/${portal.projectId}/reports`, {
    conversation_ids: [park?.id, stranger.id],
  })
  assert.deepEqual([refused.status, refused.body.errors[0].path], [422, 'conversation_ids.1'])
  const id = await ready(portal, { conversation_ids: [park?.id] })
  const { text } = await read(portal, id, 'md')
  assert.match(text, /bench/i)
  assert.doesNotMatch(text, /tram/i)
  assert.ok(tram)
})

test('a report says what it left out and why, in every format, and uses a transcript whose summary failed', async () => {
  const portal = await newPortal(backend)
  const ids: string[] = []
  for (const said of [...SAID, '', '!unreadable']) {
    const { id, token, send } = await newConversation(portal)
    await send('PUT', '/chunks/0', wavOf(said, 9))
    await send('POST', '/finish')
    await untilStatus(portal, id, token, said.startsWith('!') ? 'failed' : 'done')
    ids.push(id)
  }
  const [unsummarised, withdrawn] = ids
  ids.push((await newConversation(portal)).id)
  await backend.database.pool.query(
    `update conversations set status = 'failed', failure = 'summary_unavailable', summary = null where id = $1`,
    [unsummarised],
  )
  const { body } = await portal.owner.post(`/api/v2/projects/${portal.projectId}/reports`, {
    conversation_ids: ids,
    scheduled_at: '2100-01-01T00:00:00Z',
  })
  assert.equal((await portal.owner.send('DELETE', `/api/v2/conversations/${withdrawn}`)).status, 204)
  const parts = {
    db: backend.database.db,
    emit: async () => '',
    summarizer: createExtractiveSummarizer(),
  }
  await generateReport(parts, {
    data: { report_id: body.id },
    projectId: null,
    priority: 0,
    retry: 0,
    isLast: true,
    signal: new AbortController().signal,
  })
  const report = await portal.owner.get(`/api/v2/reports/${body.id}`)
  assert.deepEqual([report.body.status, report.body.conversation_count], ['ready', 2])
  const left_out = { not_finished: 1, failed: 1, empty: 1, erased: 1, over_limit: 0 }
  assert.deepEqual(report.body.left_out, left_out)
  const told = 'Left out: 1 not finished yet, 1 that could not be transcribed, 1 without words, 1 withdrawn'
  for (const format of ['md', 'html']) assert.ok((await read(portal, body.id, format)).text.includes(told))
  assert.match((await read(portal, body.id, 'md')).text, /bench/i)
})

test('a conversation that is withdrawn later is one more that the report is without', async () => {
  const portal = await newPortal(backend)
  const [first] = await transcribed(portal)
  const id = await ready(portal)
  const leftOut = async () => (await portal.owner.get(`/api/v2/reports/${id}`)).body.left_out
  assert.deepEqual(await leftOut(), { not_finished: 0, failed: 0, empty: 0, erased: 0, over_limit: 0 })
  await first?.send('DELETE', '')
  await until(leftOut, ({ erased }) => erased === 1)
})

test('what no theme has taken up is stored with an empty heading, which stays empty when a conversation goes', async () => {
  const portal = await newPortal(backend)
  const [first] = await transcribed(portal)
  const id = await ready(portal)
  const document = async (): Promise<StoredDocument> =>
    (await backend.database.pool.query('select document from reports where id = $1', [id])).rows[0].document
  const untaken = async () => (await document()).sections.filter(({ heading }) => !heading)
  assert.deepEqual(
    (await untaken()).map(({ heading }) => heading),
    [''],
  )
  await first?.send('DELETE', '')
  await until(document, ({ conversations }) => conversations.length === 2)
  assert.deepEqual(
    (await untaken()).map(({ heading }) => heading),
    [''],
  )
})

test('what changes while a report gathers its conversations is counted once', async () => {
  const portal = await newPortal(backend)
  await transcribed(portal)
  const { id } = await newConversation(portal)
  const finish = () =>
    backend.database.pool.query(`update conversations set status = 'done' where id = $1`, [id])
  let results = 0
  const db = backend.database.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (results++ === 0) await finish()
      return result
    },
  })
  const choice = { project_id: portal.projectId, conversation_ids: null }
  const { conversations, leftOut } = await gatherMaterial(db, choice)
  assert.deepEqual(
    [conversations.length, leftOut],
    [3, { not_finished: 1, failed: 0, empty: 0, erased: 0, over_limit: 0 }],
  )
})

test('how a report was made is kept with it, whatever engine comes later; older documents stay readable', async () => {
  const portal = await newPortal(backend)
  await transcribed(portal)
  const id = await ready(portal)
  const madeBy = async () => {
    const { body } = await portal.owner.get(`/api/v2/reports/${id}`)
    return [body.method, body.model]
  }
  assert.deepEqual(await madeBy(), ['extractive', null])
  await backend.database.pool.query(
    `update reports set document = document || '{"method": "generative", "model": "a-model"}' where id = $1`,
    [id],
  )
  assert.deepEqual(await madeBy(), ['generative', 'a-model'])
  assert.match((await read(portal, id, 'md')).text, /a-model\n/)
  await backend.database.pool.query(
    `update reports set document = document - 'model' - 'left_out' where id = $1`,
    [id],
  )
  assert.deepEqual(await madeBy(), ['generative', null])
  for (const format of ['json', 'md', 'html', 'pdf'])
    assert.equal((await read(portal, id, format)).status, 200)
})

test('a scheduled report waits for its time', async () => {
  const portal = await newPortal(backend)
  const { status, body } = await portal.owner.post(`/api/v2/projects/${portal.projectId}/reports`, {
    scheduled_at: '2100-01-01T00:00:00Z',
  })
  assert.deepEqual([status, body.status], [202, 'scheduled'])
  for (const refused of [
    await read(portal, body.id, 'md'),
    await portal.owner.send('PATCH', `/api/v2/reports/${body.id}`, { published: true }),
  ])
    assert.deepEqual([refused.status, refused.body.code], [409, 'report_not_ready'])
})

test('at most one report is public; participants read it without the names of those who spoke', async () => {
  const portal = await newPortal(backend)
  await transcribed(portal)
  assert.equal((await request(`${portal.url}/report`, 'GET')).status, 404)
  const [first, second] = [await ready(portal, { title: 'First' }), await ready(portal, { title: 'Second' })]
  for (const id of [first, second])
    assert.equal((await portal.owner.send('PATCH', `/api/v2/reports/${id}`, { published: true })).status, 200)
  const { status, body } = await request(`${portal.url}/report`, 'GET')
  assert.deepEqual([status, body.title], [200, 'Second'])
  assert.doesNotMatch(JSON.stringify(body), /Person \d/)
  assert.equal((await portal.owner.get(`/api/v2/reports/${first}`)).body.published, false)
  assert.equal((await portal.owner.send('DELETE', `/api/v2/reports/${second}`)).status, 204)
  assert.equal((await request(`${portal.url}/report`, 'GET')).status, 404)
})

test('a withdrawn conversation leaves every version of every report, the published one too', async () => {
  const portal = await newPortal(backend)
  const conversations = await transcribed(portal)
  const versions = [
    await ready(portal),
    await ready(portal, { instructions: 'the square at night, and its canary' }),
  ]
  await portal.owner.send('PATCH', `/api/v2/reports/${versions[1]}`, { published: true })
  const before = await Promise.all(versions.map((id) => read(portal, id, 'md')))
  assert.ok(before.some(({ text }) => text.includes('xylophonecanary')))
  await conversations[2]?.send('DELETE', '')
  await until(
    async () =>
      backend.database.pool.query('select erased_at from conversations where id = $1', [
        conversations[2]?.id,
      ]),
    ({ rows }) => rows[0].erased_at !== null,
  )
  for (const id of versions) {
    for (const format of ['md', 'html', 'json'])
      assert.doesNotMatch((await read(portal, id, format)).text, /xylophone|market/i, format)
    assert.match((await read(portal, id, 'md')).text, /bench/i)
  }
  assert.doesNotMatch((await request(`${portal.url}/report`, 'GET')).text, /xylophone/i)
  const { rows } = await backend.database.pool.query(
    `select from reports where document::text ilike '%xylophone%' and id = any($1)`,
    [versions],
  )
  assert.equal(rows.length, 0)
})

test('erases a generated title in events together with its sources, or with the report', async () => {
  const portal = await newPortal(backend)
  const [conversation] = await transcribed(portal)
  const [untitled, titled, deleted] = [
    await ready(portal),
    await ready(portal, { title: 'Ours' }),
    await ready(portal, { title: 'Gone' }),
  ]
  const told = async (id: string) => {
    const { rows } = await backend.database.pool.query(
      `select convert_from(full_body, 'UTF8') as body from events where subject_id = $1`,
      [id],
    )
    return rows[0].body
  }
  for (const id of [untitled, titled, deleted]) assert.ok(await told(id))
  await conversation?.send('DELETE', '')
  await until(
    () => told(untitled),
    (body) => body === null,
  )
  assert.match(await told(titled), /Ours/)
  assert.equal((await portal.owner.send('DELETE', `/api/v2/reports/${deleted}`)).status, 204)
  assert.equal(await told(deleted), null)
})

test('progress is streamed until the report is ready', async () => {
  const portal = await newPortal(backend)
  await transcribed(portal)
  const { body } = await portal.owner.post(`/api/v2/projects/${portal.projectId}/reports`, {})
  const { status, text, headers } = await portal.owner.get(`/api/v2/reports/${body.id}/progress`)
  assert.deepEqual([status, headers.get('content-type')], [200, 'text/event-stream; charset=utf-8'])
  const last = text.trim().split('\n\n').at(-1) ?? ''
  assert.match(last, /event: progress\ndata: \{"status":"ready","progress":1,/)
})
