import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createLog } from '../../platform/log.ts'
import { type Reply, request, startBackend, type TestBackend } from '../../test/support/backend.ts'
import { newConversation, newPortal, type Portal, untilStatus } from '../../test/support/conversations.ts'
import { scriptedTranscriber, wavOf } from '../../test/support/engines.ts'
import { until } from '../../test/support/webhooks.ts'
import { createExtractiveSummarizer } from '../summaries/engines/extractive/summarizer.ts'
import { createOpenAiSummarizer } from '../summaries/engines/openai/summarizer.ts'
import { reply, start } from '../summaries/engines/openai/testing/fake-model.ts'
import type { Summarizer } from '../summaries/index.ts'
import { collectSources } from './generation/collect-sources.ts'
import { generateReport } from './generation/generate-report.ts'
import { createNoteStore } from './generation/note-store.ts'
import { recoverStalledReports } from './generation/recover-stalled-reports.ts'
import { readPdf } from './render/testing/read-pdf.ts'
import type { StoredDocument } from './stored-document.ts'

let backend: TestBackend
/** Its conversations and reports are not deleted. */
let shared: Portal
before(async () => {
  backend = await startBackend({
    engines: { transcriber: scriptedTranscriber(), summarizer: createExtractiveSummarizer() },
  })
  shared = await newPortal(backend)
  await transcribe(shared)
})
after(() => backend.stop())

const SPEECHES = [
  'The park needs more benches for old people.\nThere is no light in the park at night.\nBenches and light would bring people back to the park.',
  'The tram comes too late every morning.\nA tram every ten minutes would help the school children.\nThe school begins before the tram arrives.',
  'Our market square is loud.\nThe market should close at ten.\nThe xylophonecanary sings on the market every night.',
] as const
const NONE = { not_finished: 0, failed: 0, empty: 0, erased: 0, over_limit: 0 }
const LATER = { scheduled_at: '2100-01-01T00:00:00Z' }

async function transcribe(portal: Portal, speeches: readonly string[] = SPEECHES) {
  const conversations = []
  for (const [n, speech] of speeches.entries()) {
    const { id, token, send } = await newConversation(portal, { participant_name: `Person ${n}` })
    await send('PUT', '/chunks/0', wavOf(speech, 9))
    await send('POST', '/finish')
    await untilStatus(portal, id, token, speech.startsWith('!') ? 'failed' : 'done')
    conversations.push({ id, withdraw: () => send('DELETE', '') })
  }
  return conversations
}

/** A project with three transcribed conversations, the first one about a park, the last one about a market. */
async function newProject() {
  const portal = await newPortal(backend)
  const [park, tram, market] = await transcribe(portal)
  assert.ok(park && tram && market)
  return { portal, park, market }
}

const query = async (sql: string, values: unknown[]): Promise<Reply['body'][]> =>
  (await backend.database.pool.query(sql, values)).rows

const create = ({ owner, projectId }: Portal, options: object = {}): Promise<Reply> =>
  owner.post(`/api/v2/projects/${projectId}/reports`, options)

const read = ({ owner }: Portal, id: string, format = 'json'): Promise<Reply> =>
  owner.get(`/api/v2/reports/${id}?format=${format}`)

const untilReport = (portal: Portal, id: string, status: string): Promise<Reply> =>
  until(
    () => read(portal, id),
    ({ body }) => body.status === status,
  )

async function generate(portal: Portal, options: object = {}): Promise<string> {
  const { status, body } = await create(portal, options)
  assert.deepEqual([status, body.status], [202, 'generating'])
  await untilReport(portal, body.id, 'ready')
  return body.id
}

/** Generates a scheduled report with another engine than the backend's. */
async function generateWith(summarizer: Summarizer, id: string): Promise<void> {
  const parts = { db: backend.database.db, emit: async () => '', summarizer, log: createLog('silent') }
  const { signal } = new AbortController()
  await generateReport(parts, {
    data: { report_id: id },
    projectId: null,
    priority: 0,
    retry: 0,
    isLast: true,
    signal,
  })
}

const publish = ({ owner }: Portal, id: string): Promise<Reply> =>
  owner.send('PATCH', `/api/v2/reports/${id}`, { published: true })

const documentOf = async (id: string): Promise<StoredDocument> =>
  (await query('select document from reports where id = $1', [id]))[0].document

test('renders all conversations with links to the second of each statement', async () => {
  const id = await generate(shared, { title: 'What people said' })
  const { title, conversation_count, progress, published } = (await read(shared, id)).body
  assert.deepEqual([title, conversation_count, progress, published], ['What people said', 3, 1, false])
  const md = await read(shared, id, 'md')
  assert.match(md.text, /What people said/)
  const sources = (await documentOf(id)).conversations
  assert.ok(sources.some((one) => md.text.includes(`/conversations/${one.id}#t=`)))
  const html = await read(shared, id, 'html')
  assert.match(String(html.headers.get('content-type')), /^text\/html/)
  const pdf = await read(shared, id, 'pdf')
  assert.deepEqual([pdf.status, pdf.headers.get('content-type')], [200, 'application/pdf'])
  assert.ok(pdf.text.startsWith('%PDF-'))
})

test('gives the text with its sources, and how many people each theme is from', async () => {
  const id = await generate(shared, { title: 'What people said' })
  const { status, body } = await shared.owner.get(`/api/v2/reports/${id}/document`)
  assert.deepEqual([status, body.title, body.conversation_count], [200, 'What people said', 3])
  const ids = body.conversations.map((one: { id: string }) => one.id)
  const paragraphs = body.sections.flatMap((section: Reply['body']) => section.paragraphs)
  const sources = paragraphs.flatMap((paragraph: Reply['body']) => paragraph.sources)
  assert.ok(paragraphs.every(({ text }: { text: string }) => text.length > 0))
  assert.ok(sources.length > 0)
  for (const { conversation_id, start_ms } of sources)
    assert.deepEqual([ids.includes(conversation_id), Number.isInteger(start_ms)], [true, true])
  assert.deepEqual(
    body.sections.map((section: Reply['body']) => section.voices),
    [null],
    'it has no themes',
  )
})

test('counts the people of every section as the page does, also of the one without a heading', async () => {
  const portal = await newPortal(backend)
  await transcribe(portal, [
    ...SPEECHES,
    'The park is dark at night.\nLamps in the park would help.\nMy dentist has moved.',
  ])
  const id = await generate(portal)
  const { sections } = (await portal.owner.get(`/api/v2/reports/${id}/document`)).body
  const { text } = await read(portal, id, 'html')
  const shown = [...text.matchAll(/<p class="voices">(\d+) of 4 people/g)].map(([, count]) => Number(count))
  assert.deepEqual([sections.length > 1, sections.at(-1).heading], [true, ''])
  assert.deepEqual(
    sections.map((section: Reply['body']) => section.voices?.all),
    shown,
  )
})

test('sentences of unclear segments carry the mark in titles, summaries and reports', async () => {
  const portal = await newPortal(backend)
  const unsure = '@{"confidence": 0.2} '
  const [mixed, alone] = await transcribe(portal, [
    `${unsure}Please ban the horses in the park at night.\nThe lamps in the park went out in October.`,
    `${unsure}The park should get a purple elephant house.`,
  ])
  const conversationOf = async (id = '') => (await portal.owner.get(`/api/v2/conversations/${id}`)).body
  const first = await conversationOf(mixed?.id)
  assert.equal(first.title, 'The lamps in the park went out in October')
  assert.match(first.summary, /^[^a-z[]*The lamps/)
  const second = await conversationOf(alone?.id)
  assert.match(second.title, /^\[unclear\] The park should get a purple elephant house/)
  assert.match(second.summary, /\[unclear\] The park/)
  const id = await generate(portal)
  await publish(portal, id)
  const texts = [
    (await read(portal, id, 'md')).text.replaceAll('\\', ''),
    await (await fetch(`${backend.url}/r/${id}`)).text(),
  ]
  for (const text of texts) {
    assert.match(text, /“\[unclear\] The park should get a purple elephant house/)
    assert.doesNotMatch(text, /“The park should|“Please ban/)
  }
})

test('a few words that the speech engine is unsure of are neither a title, a point nor a part of a report', async () => {
  const portal = await newPortal(backend)
  const word = '@{"confidence": 0.6} سور'
  const ids = await transcribe(portal, [
    word,
    `${word}\nThe lamps in the park went out in October.`,
    '@{"confidence": 0.9} Benches, please.',
    '@{"confidence": 0.6} The park needs more lamps.',
  ])
  const shown = await Promise.all(ids.map(({ id }) => portal.owner.get(`/api/v2/conversations/${id}`)))
  assert.deepEqual(
    shown.map(({ body }) => body.title),
    [
      'Nothing could be understood',
      'The lamps in the park went out in October',
      'Benches, please',
      'The park needs more lamps',
    ],
  )
  assert.equal(shown[0]?.body.summary, '')
  assert.doesNotMatch(shown[1]?.body.summary, /سور/)
  const id = await generate(portal)
  const { body } = await portal.owner.get(`/api/v2/reports/${id}/document`)
  assert.equal(body.conversation_count, 3)
  assert.doesNotMatch(JSON.stringify(body.sections), /سور/)
  // A host who corrects the word has listened to it.
  const segments = `/api/v2/conversations/${ids[0]?.id}/segments`
  const [first] = (await portal.owner.get(segments)).body.data
  await portal.owner.send('PATCH', `${segments}/${first.id}`, { text: 'Sure' })
  assert.equal((await documentOf(await generate(portal))).conversation_count, 4)
})

test('the text of a report that is not ready, or of a withdrawn conversation, is not given', async () => {
  const { portal, park } = await newProject()
  const { id: scheduled } = (await create(portal, { scheduled_at: '2999-01-01T00:00:00Z' })).body
  const early = await portal.owner.get(`/api/v2/reports/${scheduled}/document`)
  assert.deepEqual([early.status, early.body.code], [409, 'report_not_ready'])
  const id = await generate(portal)
  assert.ok((await portal.owner.get(`/api/v2/reports/${id}/document`)).text.includes(park.id))
  assert.equal((await park.withdraw()).status, 204)
  const left = await until(
    () => portal.owner.get(`/api/v2/reports/${id}/document`),
    ({ text }) => !text.includes(park.id),
  )
  assert.equal(left.status, 200)
})

test('forbids other pages to frame a report, in every format and when published', async () => {
  const id = await generate(shared)
  assert.equal((await publish(shared, id)).status, 200)
  const paths = [
    ...['json', 'md', 'html', 'pdf'].map((format) => `/api/v2/reports/${id}?format=${format}`),
    `/api/participant/projects/${shared.projectId}/report`,
  ]
  for (const path of paths) {
    const { status, headers } = await shared.owner.get(path)
    assert.equal(status, 200, path)
    const policy = headers.get('content-security-policy') ?? ''
    assert.match(policy, /default-src 'none'.*frame-ancestors 'none'$/, path)
  }
})

test('emits report.generated once', async () => {
  const id = await generate(shared)
  const rows = await query(
    `select convert_from(full_body, 'UTF8')::json -> 'data' -> 'report' as report from events where subject_id = $1`,
    [id],
  )
  assert.equal(rows.length, 1)
  assert.deepEqual([rows[0].report.status, rows[0].report.conversation_count], ['ready', 3])
})

test('uses only the requested conversations, and rejects those of another project', async () => {
  const { portal, park } = await newProject()
  const stranger = await newConversation(await newPortal(backend))
  const { status, body } = await create(portal, { conversation_ids: [park.id, stranger.id] })
  assert.deepEqual([status, body.errors[0].path], [422, 'conversation_ids.1'])
  const { text } = await read(portal, await generate(portal, { conversation_ids: [park.id] }), 'md')
  assert.match(text, /bench/i)
  assert.doesNotMatch(text, /tram/i)
})

test('counts left-out conversations by reason, and uses one whose summary failed', async () => {
  const portal = await newPortal(backend)
  const ids = (await transcribe(portal, [...SPEECHES, '', '!unreadable'])).map(({ id }) => id)
  const [unsummarised, deleted] = ids
  ids.push((await newConversation(portal)).id)
  await query(
    `update conversations set status = 'failed', failure = 'summary_unavailable', summary = null where id = $1`,
    [unsummarised],
  )
  const { id } = (await create(portal, { conversation_ids: ids, ...LATER })).body
  assert.equal((await portal.owner.send('DELETE', `/api/v2/conversations/${deleted}`)).status, 204)
  await generateWith(createExtractiveSummarizer(), id)
  const { status, conversation_count, left_out } = (await read(portal, id)).body
  assert.deepEqual([status, conversation_count], ['ready', 2])
  assert.deepEqual(left_out, { not_finished: 1, failed: 1, empty: 1, erased: 1, over_limit: 0 })
  const shown = 'Left out: 1 not finished yet, 1 that could not be transcribed, 1 without words, 1 withdrawn'
  for (const format of ['md', 'html']) assert.ok((await read(portal, id, format)).text.includes(shown))
  assert.match((await read(portal, id, 'md')).text, /bench/i)
})

test('counts a conversation that is withdrawn later, and keeps the empty heading of other statements', async () => {
  const { portal, park } = await newProject()
  const id = await generate(portal)
  const leftOut = async () => (await read(portal, id)).body.left_out
  const emptyHeadings = async () =>
    (await documentOf(id)).sections.flatMap(({ heading }) => (heading ? [] : [heading]))
  assert.deepEqual([await leftOut(), await emptyHeadings()], [NONE, ['']])
  await park.withdraw()
  await until(leftOut, ({ erased }) => erased === 1)
  assert.deepEqual(await emptyHeadings(), [''])
  assert.equal((await documentOf(id)).conversations.length, 2)
})

test('counts a conversation once that finishes while the sources are collected', async () => {
  const { portal } = await newProject()
  const { id } = await newConversation(portal)
  let results = 0
  const db = backend.database.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (results++ === 0) await query(`update conversations set status = 'done' where id = $1`, [id])
      return result
    },
  })
  const request = { project_id: portal.projectId, conversation_ids: null }
  const { conversations, leftOut } = await collectSources(db, request)
  assert.deepEqual([conversations.length, leftOut], [3, { ...NONE, not_finished: 1 }])
})

test('keeps the method and model of a report, and reads documents of earlier versions', async () => {
  const id = await generate(shared)
  const methodAndModel = async () => {
    const { method, model } = (await read(shared, id)).body
    return [method, model]
  }
  assert.deepEqual(await methodAndModel(), ['extractive', null])
  const generative = { method: 'generative', model: 'a-model' }
  await query('update reports set document = document || $2 where id = $1', [id, generative])
  assert.deepEqual(await methodAndModel(), ['generative', 'a-model'])
  assert.match((await read(shared, id, 'md')).text, /a-model\n/)
  await query(`update reports set document = document - 'model' - 'left_out' where id = $1`, [id])
  assert.deepEqual(await methodAndModel(), ['generative', null])
  for (const format of ['json', 'md', 'html', 'pdf'])
    assert.equal((await read(shared, id, format)).status, 200)
})

test('a scheduled report can be neither rendered nor published', async () => {
  const { status, body } = await create(shared, LATER)
  assert.deepEqual([status, body.status], [202, 'scheduled'])
  for (const reply of [await read(shared, body.id, 'md'), await publish(shared, body.id)])
    assert.deepEqual([reply.status, reply.body.code], [409, 'report_not_ready'])
})

test('publishes at most one report of a project, without the names of participants', async () => {
  const { portal } = await newProject()
  const published = () => request(`${portal.url}/report`, 'GET')
  assert.equal((await published()).status, 404)
  const [first, second] = [
    await generate(portal, { title: 'First' }),
    await generate(portal, { title: 'Second' }),
  ]
  for (const id of [first, second]) assert.equal((await publish(portal, id)).status, 200)
  const { status, body } = await published()
  assert.deepEqual([status, body.title], [200, 'Second'])
  assert.doesNotMatch(JSON.stringify(body), /Person \d/)
  assert.equal((await read(portal, first)).body.published, false)
  assert.equal((await portal.owner.send('DELETE', `/api/v2/reports/${second}`)).status, 204)
  assert.equal((await published()).status, 404)
})

test('serves a published report at /r/{rid}, without names and internal ids', async () => {
  const portal = await newPortal(backend)
  await transcribe(portal, [
    ...SPEECHES,
    'My neighbour Petra says that the park is dark.\nMrs Okafor wants light in the park.\nPerson 1 wants benches in the park.',
  ])
  const id = await generate(portal, { title: 'Ours' })
  const page = () => request(`${backend.url}/r/${id}`, 'GET')
  const hidden = await page()
  assert.deepEqual([hidden.status, hidden.headers.get('content-type')], [404, 'text/html; charset=utf-8'])
  await publish(portal, id)
  const { status, text, headers } = await page()
  assert.deepEqual([status, headers.get('x-robots-tag')], [200, 'noindex, nofollow'])
  assert.match(
    headers.get('content-security-policy') ?? '',
    /^default-src 'none'; style-src 'sha256-[^;]*;.*frame-ancestors 'none'$/,
  )
  const { conversations } = await documentOf(id)
  for (const internal of [portal.projectId, id, ...conversations.map((one) => one.id)])
    assert.ok(!text.includes(internal), internal)
  const hrefs = [...text.matchAll(/ (?:href|cite)="(?!\?format=pdf")([^"]*)"/g)].map(([, href = '']) => href)
  assert.ok(hrefs.some((href) => href.startsWith('#section-')))
  for (const href of hrefs) assert.ok(text.includes(` id="${href.slice(1)}"`), href)
  assert.match(text, /Participant 1/)
  assert.doesNotMatch(text, /Petra|Okafor|Person 1/)
  await portal.owner.send('PATCH', `/api/v2/reports/${id}`, { redact_names: false })
  assert.match((await page()).text, /Petra/)
  for (const path of [`/r/${portal.projectId}`, '/r/x', '/r/%00'])
    assert.equal((await request(`${backend.url}${path}`, 'GET')).status, 404, path)
  await portal.owner.send('PATCH', `/api/v2/reports/${id}`, { published: false })
  assert.equal((await page()).status, 404)
})

test('serves a published report as Markdown and PDF, with the same redaction', async () => {
  const portal = await newPortal(backend)
  const [first] = await transcribe(portal, [
    'My neighbour Petra says that the park is dark.\nMrs Okafor wants light in the park.\nThe zebrafinch sings in the park at Kerkstraat 12, so call 06-12345678 or petra@example.org.',
    ...SPEECHES,
  ])
  const id = await generate(portal, { title: 'Unsere', language: 'de' })
  const page = (query: string) => fetch(`${backend.url}/r/${id}${query}`)
  const pdfText = async () =>
    (await readPdf(Buffer.from(await (await page('?format=pdf')).arrayBuffer()))).squeezed
  const refused = await page('?format=docx')
  const problem = (await refused.json()) as Reply['body']
  assert.deepEqual([refused.status, problem.code, problem.errors[0].path], [400, 'bad_request', 'format'])
  assert.match(problem.detail, /format.*html, md or pdf/)
  for (const query of ['?format=', '?format=pdf&format=md'])
    assert.equal((await page(query)).status, 400, query)
  for (const query of ['', '?format=md', '?format=pdf']) assert.equal((await page(query)).status, 404, query)
  await publish(portal, id)
  assert.match(
    await (await page('?utm_source=mail')).text(),
    /<a href="\?format=pdf"[^>]*>PDF herunterladen</,
  )
  assert.doesNotMatch((await read(portal, id, 'html')).text, /format=pdf/)
  for (const [format, type] of Object.entries({
    html: 'text/html; charset=utf-8',
    md: 'text/markdown; charset=utf-8',
    pdf: 'application/pdf',
  })) {
    const { status, headers } = await page(`?format=${format}`)
    assert.deepEqual([status, headers.get('content-type')], [200, type])
    assert.deepEqual(
      [headers.get('x-robots-tag'), headers.get('cache-control')],
      ['noindex, nofollow', 'no-store'],
    )
  }
  const markdown = await (await page('?format=md')).text()
  for (const text of [markdown, await pdfText()]) {
    assert.match(text, /zebrafinch/)
    assert.match(text, /Person ?\d/)
    assert.doesNotMatch(text, /petra|Okafor|Kerkstraat|12345678/i)
    assert.match(text, /Adresse.*Telefonnummer.*E-Mail/s)
    assert.ok(!text.includes(portal.projectId))
  }
  await first?.withdraw()
  await until(pdfText, (text) => !text.includes('zebrafinch'))
})

test('erases a withdrawn conversation from every report of a project', async () => {
  const { portal, market } = await newProject()
  const ids = [
    await generate(portal),
    await generate(portal, { instructions: 'the square at night, and its canary' }),
  ]
  await publish(portal, ids[1] as string)
  const texts = await Promise.all(ids.map(async (id) => (await read(portal, id, 'md')).text))
  assert.ok(texts.some((text) => text.includes('xylophonecanary')))
  await market.withdraw()
  await until(
    () => query('select erased_at from conversations where id = $1', [market.id]),
    ([row]) => row.erased_at !== null,
  )
  for (const id of ids) {
    for (const format of ['md', 'html', 'json'])
      assert.doesNotMatch((await read(portal, id, format)).text, /xylophone|market/i, format)
    assert.match((await read(portal, id, 'md')).text, /bench/i)
    assert.doesNotMatch(JSON.stringify(await documentOf(id)), /xylophone/i)
  }
  assert.doesNotMatch((await request(`${portal.url}/report`, 'GET')).text, /xylophone/i)
})

test('keeps the notes of a model per revision, and erases them with the conversation', async (t) => {
  const { portal, park } = await newProject()
  const statements = ['s1', 's4', 's7'].map((source, at) => ({
    text: ['The park needs benches.', 'The tram comes late.', 'The market is loud.'][at],
    sources: [source],
  }))
  const fake = await start(t, (response, asked) => {
    const isReport = asked.body.includes('sections')
    const sections = [
      { heading: 'Park', paragraphs: [{ ...statements[0], sources: ['s1'] }], quotations: [] },
    ]
    const introduction = { text: '', sources: [] }
    return reply(
      isReport ? { title: 'Park', introduction, sections } : { notes: statements, quotations: [] },
    )(response, asked)
  })
  const summarizer = createOpenAiSummarizer({ server: fake.client(), model: 'a-model' })
  let last = ''
  const requests = async () => {
    const before = fake.asked.length
    const { id } = (await create(portal, LATER)).body
    await generateWith(summarizer, id)
    assert.equal((await read(portal, id)).body.method, 'generative')
    last = id
    return fake.asked.length - before
  }
  const keptFor = (id: string) =>
    query('select notes from conversation_notes where conversation_id = $1', [id])
  assert.deepEqual([await requests(), await requests()], [2, 1], 'one for notes and one for the report')
  assert.match(JSON.stringify(await keptFor(park.id)), /needs benches/)
  await publish(portal, last)
  const page = async () => (await request(`${backend.url}/r/${last}`, 'GET')).text
  assert.match(
    await page(),
    /href="#source-1".*id="source-1"[^<]*<blockquote>“The park needs more benches for old people/s,
  )
  await query('update conversations set revision = revision + 1 where id = $1', [park.id])
  assert.equal(await requests(), 2)
  await park.withdraw()
  await until(
    () => keptFor(park.id),
    (rows) => rows.length === 0,
  )
  assert.doesNotMatch(await page(), /bench/)
  const { revision } = (await query('select revision from conversations where id = $1', [park.id]))[0]
  const store = createNoteStore(backend.database.db, 'en', [{ id: park.id, revision }])
  await store.save(park.id, 'key', { lines: [], quotes: [] })
  assert.deepEqual(await keptFor(park.id), [], 'a report that is still being generated stores nothing')
})

test('names the people whom a model writes as numbers, and keeps the numbers when another one withdraws', async (t) => {
  const portal = await newPortal(backend)
  const [park, tram] = await transcribe(portal)
  assert.ok(park && tram)
  await query('update conversations set participant_name = null where id = $1', [tram.id])
  const fake = await start(t, (response, asked) => {
    const { messages } = asked.json()
    const labels = messages[1]?.content.match(/^\[s\d+\] #\d+/gm) ?? []
    const from = (number: number) =>
      labels.filter((one) => one.endsWith(` #${number}`)).map((one) => one.slice(1, one.indexOf(']')))
    const paragraphs = [
      { text: '#1 asks for benches in the park.', sources: from(1) },
      {
        text: 'The tram comes too late (#2). In gesprek #2, a tram every ten minutes is a wish.',
        sources: from(2),
      },
      {
        text: 'The market is loud, says #3, and #1 wants light in the park.',
        sources: [...from(1), ...from(3)],
      },
    ]
    const report = {
      title: 'Wishes',
      introduction: { text: 'The tram comes too late for #2.', sources: from(2) },
      sections: [{ heading: '#2 on the tram', paragraphs, quotations: [] }],
    }
    const notes = [
      'benches in the park and light',
      'tram comes too late, a tram every ten minutes',
      'market is loud',
    ]
    const noted = notes.map((text, at) => ({ text, sources: from(at + 1) }))
    const isReport = messages[0]?.content.includes('"sections"') === true
    return reply(isReport ? report : { notes: noted, quotations: [] })(response, asked)
  })
  const { id } = (await create(portal, { ...LATER, language: 'nl' })).body
  await generateWith(createOpenAiSummarizer({ server: fake.client(), model: 'a-model' }), id)
  const { body } = await portal.owner.get(`/api/v2/reports/${id}/document`)
  const texts = body.sections[0].paragraphs.map(({ text }: { text: string }) => text)
  assert.deepEqual(texts, [
    'Person 0 asks for benches in the park.',
    'The tram comes too late (Deelnemer 2). In gesprek (Deelnemer 2), a tram every ten minutes is a wish.',
    'The market is loud, says Person 2, and Person 0 wants light in the park.',
  ])
  assert.deepEqual(
    [body.introduction, body.sections[0].heading],
    ['The tram comes too late for Deelnemer 2.', 'Deelnemer 2 on the tram'],
  )
  await park.withdraw()
  const { text } = await until(
    () => read(portal, id, 'md'),
    ({ text }) => !text.includes('Person 0'),
  )
  assert.match(text, /The tram comes too late \(Deelnemer 2\).*\\\[\[Deelnemer 2, /)
  assert.match(text, /^2\. \[Deelnemer 2\]/m)
  const numbers = async () =>
    (await portal.owner.get(`/api/v2/reports/${id}/document`)).body.conversations.map(
      (one: { number: number }) => one.number,
    )
  assert.deepEqual(await numbers(), [2, 3])
  await publish(portal, id)
  const page = (await request(`${backend.url}/r/${id}`, 'GET')).text
  assert.match(page, /The tram comes too late \(Deelnemer 2\)/)
})

test('erases a generated title from events with its sources, and a chosen title with its report', async () => {
  const { portal, park } = await newProject()
  const [untitled, titled, deleted] = [
    await generate(portal),
    await generate(portal, { title: 'Ours' }),
    await generate(portal, { title: 'Gone' }),
  ]
  const eventOf = async (id: string) =>
    (await query(`select convert_from(full_body, 'UTF8') as body from events where subject_id = $1`, [id]))[0]
      .body
  for (const id of [untitled, titled, deleted]) assert.ok(await eventOf(id))
  await park.withdraw()
  await until(
    () => eventOf(untitled),
    (body) => body === null,
  )
  assert.match(await eventOf(titled), /Ours/)
  assert.equal((await portal.owner.send('DELETE', `/api/v2/reports/${deleted}`)).status, 204)
  assert.equal(await eventOf(deleted), null)
})

test('streams the progress until the report is ready', async () => {
  const { id } = (await create(shared)).body
  const { status, text, headers } = await shared.owner.get(`/api/v2/reports/${id}/progress`)
  assert.deepEqual([status, headers.get('content-type')], [200, 'text/event-stream; charset=utf-8'])
  const last = text.trim().split('\n\n').at(-1) ?? ''
  assert.match(last, /event: progress\ndata: \{"status":"ready","progress":1,/)
})

const recover = () => recoverStalledReports(backend.database.db, backend.jobs)

/** As if its job had been lost some hours ago. */
async function loseJob(id: string, status: 'scheduled' | 'generating'): Promise<void> {
  await query(`delete from jobs.job where name = 'report' and data ->> 'report_id' = $1`, [id])
  await query(
    `update reports set status = $2, created_at = now() - interval '3 hours',
       scheduled_at = now() - interval '2 hours', recovered_at = recovered_at - interval '2 hours'
     where id = $1`,
    [id, status],
  )
}

for (const status of ['scheduled', 'generating'] as const)
  test(`restarts a ${status} report once if its job was lost, and fails it the second time`, async () => {
    const portal = await newPortal(backend)
    const id = await generate(portal)
    await loseJob(id, status)
    assert.equal(await recover(), 1)
    await untilReport(portal, id, 'ready')
    assert.equal(await recover(), 0)
    await loseJob(id, status)
    assert.equal(await recover(), 1)
    assert.equal((await untilReport(portal, id, 'failed')).body.failure, 'internal')
  })

test('does not restart a report that is not due, or whose job is waiting', async () => {
  const [early, waiting] = [(await create(shared, LATER)).body.id, (await create(shared, LATER)).body.id]
  await query(`update reports set created_at = now() - interval '3 hours' where id = any($1)`, [
    [early, waiting],
  ])
  await query(`update reports set scheduled_at = now() - interval '2 hours' where id = $1`, [waiting])
  assert.equal(await recover(), 0)
})
