import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  newUser,
  type Reply,
  request,
  startBackend,
  type TestBackend,
} from '../../../test/support/backend.ts'
import { newConversation, newPortal, type Portal, untilStatus } from '../../../test/support/conversations.ts'
import { scriptedTranscriber, wavOf } from '../../../test/support/engines.ts'
import { until } from '../../../test/support/webhooks.ts'
import { createExtractiveSummarizer } from '../../summaries/engines/extractive/summarizer.ts'

let backend: TestBackend
before(async () => {
  backend = await startBackend({
    engines: { transcriber: scriptedTranscriber(), summarizer: createExtractiveSummarizer() },
  })
})
after(() => backend.stop())

const SPEECHES = [
  'The park needs more benches for old people.\nThere is no light in the park at night.',
  'We want benches and light in the park.\nThe park is too dark for children.',
  'The xylophonecanary sings in the park every night.\nThe park should close at ten.',
]

interface Report extends Portal {
  rid: string
  withdrawLast(): Promise<unknown>
  read(path?: string): Promise<Reply>
  edit(change: (edit: Reply['body']) => void): Promise<Reply>
}

/** A project with three conversations, and a report on them. */
async function newReport(): Promise<Report> {
  const portal = await newPortal(backend)
  let withdraw = async (): Promise<unknown> => undefined
  for (const [n, speech] of SPEECHES.entries()) {
    const { id, token, send } = await newConversation(portal, { participant_name: `Person ${n}` })
    await send('PUT', '/chunks/0', wavOf(speech, 9))
    await send('POST', '/finish')
    await untilStatus(portal, id, token, 'done')
    withdraw = async () => {
      await send('DELETE', '')
      await until(
        () => backend.database.pool.query('select erased_at from conversations where id = $1', [id]),
        ({ rows }) => rows[0].erased_at !== null,
      )
    }
  }
  const { owner, projectId } = portal
  const rid = (await owner.post(`/api/v2/projects/${projectId}/reports`, {})).body.id
  const read = (path = '') => owner.get(`/api/v2/reports/${rid}${path}`)
  await until(read, ({ body }) => body.status === 'ready')
  const edit: Report['edit'] = async (change) => {
    const body = unchanged((await read('/document')).body)
    change(body)
    return owner.send('PUT', `/api/v2/reports/${rid}/document`, body)
  }
  return { ...portal, rid, withdrawLast: withdraw, read, edit }
}

/** The edit that changes nothing. */
const unchanged = ({ version, title, introduction, sections }: Reply['body']) => ({
  version,
  title,
  introduction,
  sections: sections.map(({ key, heading, paragraphs, quotations }: Reply['body']) => ({
    from: key,
    heading,
    paragraphs: paragraphs.map((one: Reply['body']) => ({ from: one.key, text: null })),
    quotations: quotations.map((one: Reply['body']) => one.key),
  })),
})

const textOf = (document: Reply): string => JSON.stringify(document.body.sections)

test('an edit is a new version, and the generated one stays', async () => {
  const { read, edit } = await newReport()
  const before = await read('/document')
  const reply = await edit((body) => {
    body.title = 'Ours'
    body.sections[0].heading = 'Sitting in the dark'
    body.sections[0].paragraphs.unshift({ from: null, text: 'The city will act.' })
  })
  assert.deepEqual([reply.status, reply.body.version, reply.body.title], [200, 2, 'Ours'])
  const { body } = await read('/document')
  const [first] = body.sections
  assert.deepEqual(
    [body.version, body.title, first.heading, first.paragraphs[0].text, first.paragraphs[0].edited],
    [2, 'Ours', 'Sitting in the dark', 'The city will act.', true],
  )
  assert.equal(textOf(await read('/document?version=1')), textOf(before))
  const versions = (await read('/versions')).body.data
  assert.deepEqual(
    versions.map((one: Reply['body']) => [one.number, one.origin, one.current]),
    [
      [2, 'edited', true],
      [1, 'generated', false],
    ],
  )
  assert.equal((await edit(() => {})).body.version, 2, 'an edit without changes is not a version')
})

test('a sentence that was changed keeps its sources, and loses its quotation marks', async () => {
  const { read, edit } = await newReport()
  const { sections } = (await read('/document')).body
  const kept = sections[0].paragraphs[0] ?? null
  const markdown = async () => (await read('?format=md')).text
  assert.match(await markdown(), /No one has reviewed the selection/)
  await edit((body) => {
    if (kept) body.sections[0].paragraphs[0].text = 'People ask for benches.'
    else body.sections[0].paragraphs.push({ from: null, text: 'People ask for benches.' })
  })
  const [changed] = (await read('/document')).body.sections[0].paragraphs
  assert.deepEqual(changed.sources, kept?.sources ?? [])
  const text = await markdown()
  assert.match(text, /Edited by hand/)
  assert.doesNotMatch(text, /No one has reviewed the selection|“People ask for benches/)
  assert.match(text, /People ask for benches/)
})

test('quotations can be removed and moved, but not invented', async () => {
  const { read, edit } = await newReport()
  const quotations = async () =>
    (await read('/document')).body.sections.flatMap((one: Reply['body']) =>
      one.quotations.map(({ text }: Reply['body']) => text),
    )
  const before = await quotations()
  assert.ok(before.length > 1)
  await edit((body) => body.sections[0].quotations.reverse().pop())
  assert.equal((await quotations()).length, before.length - 1)
  for (const [path, change] of [
    ['sections.0.quotations.0', (body: Reply['body']) => (body.sections[0].quotations = ['s9q9'])],
    ['sections.0.from', (body: Reply['body']) => (body.sections[0].from = 'x')],
    [
      'sections.0.paragraphs.0.text',
      (body: Reply['body']) => (body.sections[0].paragraphs = [{ from: null, text: null }]),
    ],
    ['title', (body: Reply['body']) => (body.title = ' ')],
  ] as const) {
    const { status, body } = await edit(change)
    assert.deepEqual([status, body.errors[0].path], [422, path])
  }
})

test('of two people who edit the same version, the second is told', async () => {
  const { edit } = await newReport()
  assert.equal((await edit((body) => (body.title = 'First'))).status, 200)
  const late = await edit((body) => Object.assign(body, { title: 'Second', version: 1 }))
  assert.deepEqual([late.status, late.body.code], [412, 'precondition_failed'])
})

test('everyone reads the published version until the next one is published', async () => {
  const { owner, rid, url, edit, read } = await newReport()
  const publish = () => owner.send('PATCH', `/api/v2/reports/${rid}`, { published: true })
  await edit((body) => (body.title = 'For everyone'))
  assert.equal((await publish()).body.published_version, 2)
  await edit((body) => (body.title = 'A draft'))
  const titles = async () => [
    (await request(`${url}/report`, 'GET')).body.title,
    /<h1[^>]*>([^<]*)/.exec((await request(`${backend.url}/r/${rid}`, 'GET')).text)?.[1],
    (await read()).body.title,
  ]
  assert.deepEqual(await titles(), ['For everyone', 'For everyone', 'A draft'])
  const { version, published_version } = (await read()).body
  assert.deepEqual([version, published_version], [3, 2])
  await publish()
  assert.deepEqual(await titles(), ['A draft', 'A draft', 'A draft'])
  await owner.send('PATCH', `/api/v2/reports/${rid}`, { published: false })
  assert.equal((await read()).body.published_version, null)
})

test('an earlier version is restored as a new one', async () => {
  const { owner, rid, read, edit } = await newReport()
  const generated = (await read()).body.title
  await edit((body) => (body.title = 'Ours'))
  const restore = (version: number) => owner.post(`/api/v2/reports/${rid}/restore`, { version })
  const { status, body } = await restore(1)
  assert.deepEqual([status, body.version, body.title], [200, 3, generated])
  const [newest] = (await read('/versions')).body.data
  assert.deepEqual([newest.origin, newest.restored_from, newest.created_by], ['restored', 1, owner.userId])
  const first = await read('/versions?limit=2')
  const rest = await read(`/versions?limit=2&cursor=${first.body.next_cursor}`)
  const numbers = [...first.body.data, ...rest.body.data].map(({ number }: { number: number }) => number)
  assert.deepEqual(numbers, [3, 2, 1])
  const unknown = await restore(9)
  assert.deepEqual([unknown.status, unknown.body.errors[0].path], [422, 'version'])
  assert.equal((await read('/document?version=9')).status, 404)
})

test('a withdrawn conversation disappears from all versions, also where a member has copied its words', async () => {
  const report = await newReport()
  const { owner, rid, edit, read } = report
  await edit((body) => {
    body.introduction = 'We listened to three people.'
    body.sections[0].quotations = []
    body.sections[0].paragraphs.push(
      { from: null, text: 'Someone said: the xylophonecanary sings in the park every night!' },
      { from: null, text: 'We thank all of them for the time they gave us.' },
    )
  })
  await edit((body) => (body.title = 'Third version'))
  assert.match((await read('/document')).text, /xylophone/)
  await report.withdrawLast()
  const { rows } = await backend.database.pool.query(
    'select document::text from reports where id = $1 union all select document::text from report_versions where report_id = $1',
    [rid],
  )
  assert.equal(rows.length, 3)
  for (const { document } of rows) assert.doesNotMatch(document, /xylophone/i)
  const current = await read('/document')
  assert.match(current.text, /We thank all of them/)
  assert.equal(current.body.introduction, 'We listened to three people.')
  assert.equal((await owner.send('DELETE', `/api/v2/reports/${rid}`)).status, 204)
  const left = await backend.database.pool.query('select from report_versions where report_id = $1', [rid])
  assert.equal(left.rowCount, 0)
})

test('an external member edits, and cannot publish; an observer only reads', async () => {
  const { owner, workspaceId, rid, read } = await newReport()
  const body = { ...unchanged((await read('/document')).body), title: 'By a guest' }
  const statuses: Record<string, number[]> = {}
  for (const role of ['external', 'observer']) {
    const person = await backend.as(newUser())
    await backend.introduce([person.userId])
    await owner.post(`/api/v2/workspaces/${workspaceId}/members`, { user_id: person.userId, role })
    const edited = await person.send('PUT', `/api/v2/reports/${rid}/document`, body)
    const published = await person.send('PATCH', `/api/v2/reports/${rid}`, { published: true })
    const versions = await person.get(`/api/v2/reports/${rid}/versions`)
    statuses[role] = [edited.status, published.status, versions.status]
  }
  assert.deepEqual(statuses, { external: [200, 403, 200], observer: [403, 403, 200] })
})
