import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newUser, type Reply } from '../../test/support/backend.ts'
import { newConversation, newPortal, type Portal, untilStatus } from '../../test/support/conversations.ts'
import { scriptedEngines, wavOf } from '../../test/support/engines.ts'
import { openStream } from '../../test/support/servers/event-stream.ts'
import { until } from '../../test/support/webhooks.ts'
import { backend, portal, query, recorded, setUp } from './testing/setup.ts'

setUp({ engines: scriptedEngines() })

const listOf = (of: Portal) => `/api/v2/projects/${of.projectId}/conversations`
const ids = ({ body }: Reply): string[] => body.data.map(({ id }: { id: string }) => id)

test('lists conversations newest first, page by page and by each filter', async () => {
  const own = await newPortal(backend)
  const first = await recorded('Benches for the park', { of: own, start: { tags: ['park'] } })
  const second = await recorded('The tram is late', { of: own })
  const third = await newConversation(own)
  const get = async (filter: string) => ids(await own.owner.get(`${listOf(own)}?${filter}`))
  assert.deepEqual(await get(''), [third.id, second.id, first.id])
  const page = await own.owner.get(`${listOf(own)}?limit=2`)
  assert.deepEqual(ids(page), [third.id, second.id])
  assert.deepEqual(await get(`limit=2&cursor=${page.body.next_cursor}`), [first.id])
  assert.deepEqual(await get('status=recording'), [third.id])
  assert.deepEqual(await get('tag=park'), [first.id])
  assert.deepEqual(await get('source=upload'), [])
  assert.deepEqual(await get('since=2100-01-01T00:00:00Z'), [])
  assert.deepEqual(await get('until=2100-01-01T00:00:00Z&status=done'), [second.id, first.id])
  for (const query of ['status=asleep', 'tag=%00', 'tag=', 'q=%00', 'since=0000-01-01T00:00:00Z'])
    assert.equal((await own.owner.get(`${listOf(own)}?${query}`)).status, 422, query)
})

test('finds the conversations of a language that few people spoke by an index', async () => {
  const own = await newPortal(backend)
  await query(
    `insert into conversations (id, project_id, status, source, language, detected_language)
     select uuid_v7(), $1, 'done', 'upload', 'nl', case when n = 1 then 'fr' end from generate_series(1, 5000) n`,
    [own.projectId],
  )
  await query('analyze conversations')
  assert.equal((await own.owner.get(`${listOf(own)}?language=fr`)).body.data.length, 1)
  const plan = await query(`explain select * from conversations where project_id = '${own.projectId}'
    and deleted_at is null and coalesce(detected_language, language) = 'fr' order by id desc limit 51`)
  assert.match(JSON.stringify(plan), /conversations_by_language/)
})

test('finds conversations by the beginnings of words, and ignores operators in the search', async () => {
  const own = await newPortal(backend)
  const park = await recorded('Bänke für den Stadtpark, l’été prochain', { of: own })
  await recorded('The tram is late', { of: own })
  const find = async (q: string) => ids(await own.owner.get(`${listOf(own)}?q=${encodeURIComponent(q)}`))
  for (const q of ['stadtpark', 'STADT', 'bänk stadtp', 'für', "Park:* | \\ ' & ! () stadtpark".slice(-9)])
    assert.deepEqual(await find(q), [park.id], q)
  for (const q of ['absent', '...', "'", '\\', ':* & |', '!stadtpark absent'])
    assert.deepEqual(await find(q), [], q)
})

test('finds the newest of very many matches, page by page, in this project alone', async () => {
  const [own, other] = [await newPortal(backend), await newPortal(backend)]
  await recorded('A common word', { of: other })
  // More than are sorted; every third has a second word, and every 500th a third one.
  await query(
    `with made as (
       insert into conversations (id, project_id, status, source)
       select uuid_v7(), $1, 'done', 'upload' from generate_series(1, 10050)
       returning id
     )
     insert into conversation_words (conversation_id, project_id, words, tokenizer_version)
     select id, $1, array_to_tsvector(array_remove(array[' ' || $1, 'common',
       case when n % 3 = 0 then 'third' end, case when n % 500 = 0 then 'seldom' end], null)), 2
     from (select id, row_number() over (order by id) as n from made) numbered`,
    [own.projectId],
  )
  const all = await query('select id from conversations where project_id = $1 order by id desc', [
    own.projectId,
  ])
  const newest = all.map(({ id }): string => id)
  const page = (query: string) => own.owner.get(`${listOf(own)}?limit=20&${query}`)
  const first = await page('q=common')
  assert.deepEqual(ids(first), newest.slice(0, 20))
  assert.deepEqual(ids(await page(`q=common&cursor=${first.body.next_cursor}`)), newest.slice(20, 40))
  const thirds = newest.filter((_, place) => (newest.length - place) % 3 === 0)
  for (const q of ['common third', 't', 't c', 'thi c'])
    assert.deepEqual(ids(await page(`q=${q}`)), thirds.slice(0, 20), q)
  const seldom = newest.filter((_, place) => (newest.length - place) % 500 === 0)
  for (const q of ['seldom', 'common seldom', 'c s', 'seld c common'])
    assert.deepEqual(ids(await page(`q=${q}`)), seldom, q)
  assert.deepEqual(
    ids(await page('q=seldom common third')),
    seldom.filter((id) => thirds.includes(id)),
  )
  assert.deepEqual(ids(await page('q=t z')), [])
  assert.deepEqual(ids(await page(`q=${own.projectId}`)), [], 'the id is not part of the text')
  // A minute apart: a short and a long span, each alone and with a word.
  const at = (minutes: number) => new Date(Date.UTC(2026, 0, 1) + minutes * 60_000).toISOString()
  await query(
    `update conversations c set started_at = '2026-01-01T00:00:00Z'::timestamptz + make_interval(mins => place::integer)
     from unnest($1::uuid[]) with ordinality as placed (id, place) where c.id = placed.id`,
    [newest.toReversed()],
  )
  const oldest = newest.toReversed()
  for (const [first, last] of [
    [100, 130],
    [100, 9_000],
    [9_990, 20_000],
  ] as const) {
    const span = oldest.slice(first - 1, last - 1).toReversed()
    const query = `since=${at(first)}&until=${at(last)}`
    assert.deepEqual(ids(await page(query)), span.slice(0, 20), query)
    const both = span.filter((id) => thirds.includes(id)).slice(0, 20)
    assert.deepEqual(ids(await page(`${query}&q=third`)), both, query)
  }
  assert.deepEqual(ids(await page(`until=${at(11)}`)), oldest.slice(0, 10).toReversed())
  // Frequent, but not among the newest.
  await query(
    `insert into conversations (id, project_id, status, source)
     select uuid_v7(), $1, 'done', 'upload' from generate_series(1, 110)`,
    [own.projectId],
  )
  assert.deepEqual(ids(await page('q=common')), newest.slice(0, 20))
  assert.deepEqual(ids(await page('q=third')), thirds.slice(0, 20))
  assert.equal(ids(await other.owner.get(`${listOf(other)}?q=common`)).length, 1)
})

test('reads a conversation with its summary, and updates it with If-Match', async () => {
  const { id } = await recorded('Benches\nLight')
  const one = `/api/v2/conversations/${id}`
  const read = await portal.owner.get(one)
  assert.equal(read.status, 200)
  assert.equal(read.body.summary, '- Benches\n- Light')
  const { data } = (await portal.owner.get(`${one}/segments`)).body
  assert.deepEqual(read.body.summary_details, {
    method: 'extractive',
    model: null,
    fallback: null,
    points: [
      { text: 'Benches', segments: [data[0].id], start_ms: 0 },
      { text: 'Light', segments: [data[1].id], start_ms: 500 },
    ],
  })
  const etag = { 'if-match': String(read.headers.get('etag')) }
  const changed = await portal.owner.send('PATCH', one, { title: 'Seats', tags: ['a'] }, etag)
  assert.deepEqual([changed.status, changed.body.title, changed.body.tags], [200, 'Seats', ['a']])
  assert.equal((await portal.owner.send('PATCH', one, { title: 'Late' }, etag)).status, 412)
  assert.deepEqual(ids(await portal.owner.get(`${listOf(portal)}?q=seats`)), [id])
})

test('a summary point has the time of its first segment; written text and old summaries have none', async () => {
  const { id, token, send } = await newConversation(portal)
  await send('PUT', '/chunks/0', wavOf('Benches\nLight', 10))
  await send('POST', '/text', { content: 'And trees' })
  await send('POST', '/finish')
  await untilStatus(portal, id, token, 'done')
  const moments = async () => {
    const { body } = await portal.owner.get(`/api/v2/conversations/${id}`)
    return Object.fromEntries(
      body.summary_details.points.map(({ text, start_ms }: Reply['body']) => [text, start_ms]),
    )
  }
  assert.deepEqual(await moments(), { Benches: 0, 'And trees': null, Light: 5_000 })
  await query(
    `update conversations set summary = '{"method": "extractive", "points": [{"text": "Benches", "segments": ["0.0"]}]}' where id = $1`,
    [id],
  )
  assert.deepEqual(await moments(), { Benches: null })
})

test('returns the transcript in every format, with the gap of a failed chunk', async () => {
  const { id } = await recorded(['<b>Benches</b> --> now', '!unreadable', 'Light'])
  const types = {
    txt: 'text/plain',
    md: 'text/markdown',
    vtt: 'text/vtt',
    srt: 'application/x-subrip',
    json: 'application/json',
  }
  for (const [format, type] of Object.entries(types)) {
    const { status, headers, text } = await portal.owner.get(
      `/api/v2/conversations/${id}/transcript?format=${format}`,
    )
    assert.equal(status, 200, format)
    assert.ok(headers.get('content-type')?.startsWith(type), format)
    assert.match(
      String(headers.get('content-disposition')),
      new RegExp(`^attachment; filename=".*\\.${format}"`),
    )
    assert.match(text, /Light/, format)
    assert.match(text, /unreadable/, format)
  }
  const { body } = await portal.owner.get(`/api/v2/conversations/${id}/transcript?format=json`)
  const { data } = (await portal.owner.get(`/api/v2/conversations/${id}/segments`)).body
  assert.deepEqual(
    body.entries.map((entry: { id?: string; kind: string }) => [entry.kind, entry.id]),
    [
      ['said', data[0].id],
      ['missing', undefined],
      ['said', data[1].id],
    ],
  )
  assert.equal((await portal.owner.get(`/api/v2/conversations/${id}/transcript?format=exe`)).status, 422)
})

for (const [verb, types] of [
  ['retranscribe', ['conversation.transcribed', 'conversation.summarized']],
  ['summarize', ['conversation.summarized']],
] as const) {
  test(`${verb} fires its events again with a higher revision, and returns 409 during processing`, async () => {
    const { id, token, send } = await newConversation(portal)
    await send('PUT', '/chunks/0', wavOf('Again'))
    const refused = await portal.owner.post(`/api/v2/conversations/${id}/${verb}`)
    assert.deepEqual([refused.status, refused.body.code], [409, 'conversation_in_progress'])
    await send('POST', '/finish')
    await untilStatus(portal, id, token, 'done')
    const reply = await portal.owner.post(`/api/v2/conversations/${id}/${verb}`)
    assert.deepEqual([reply.status, reply.body.revision], [202, 2])
    await untilStatus(portal, id, token, 'done')
    const events = await query(
      `select type from events where subject_id = $1
       and (convert_from(full_body, 'UTF8')::json #>> '{data,conversation,revision}')::int = 2 order by id`,
      [id],
    )
    assert.deepEqual(
      events.map(({ type }) => type),
      types,
    )
  })
}

test('a new summary keeps the title and tags of the host, and replaces a removed title', async () => {
  const { id, token } = await recorded('Spoken')
  const path = `/api/v2/conversations/${id}`
  const again = async (patch: object) => {
    await portal.owner.send('PATCH', path, patch)
    await portal.owner.post(`${path}/summarize`)
    await untilStatus(portal, id, token, 'done')
    const { title, tags } = (await portal.owner.get(path)).body
    return { title, tags }
  }
  assert.deepEqual(await again({}), { title: 'Spoken', tags: ['scripted'] })
  assert.deepEqual(await again({ title: 'Mine', tags: ['own'] }), { title: 'Mine', tags: ['own'] })
  assert.deepEqual(await again({ title: null }), { title: 'Spoken', tags: ['own'] })
})

test('audits what staff read, and not what members read', async () => {
  const own = await newPortal(backend)
  await query(`update workspaces set tier = 'changemaker' where id = $1`, [own.workspaceId])
  const { id } = await recorded('Private', { of: own })
  const report = await own.owner.post(`/api/v2/projects/${own.projectId}/reports`, {})
  await until(
    () => own.owner.get(`/api/v2/reports/${report.body.id}`),
    ({ body }) => body.status === 'ready',
  )
  // An event becomes visible when all transactions that began before it have ended.
  await until(
    () => own.owner.get(`/api/v2/projects/${own.projectId}/events`),
    ({ text }) => text.includes('"transcript"') && text.includes('report.'),
  )
  const staff = await backend.as(newUser(), { admin_access: true })
  for (const reader of [own.owner, staff]) {
    for (const path of [
      `/conversations/${id}`,
      `/conversations/${id}/transcript`,
      `/projects/${own.projectId}/conversations`,
      `/projects/${own.projectId}/events`,
      `/reports/${report.body.id}?format=md`,
    ])
      assert.equal((await reader.get(`/api/v2${path}`)).status, 200)
    for (const path of ['stream', 'events/stream'])
      assert.equal((await reader.send('HEAD', `/api/v2/projects/${own.projectId}/${path}`)).status, 200)
  }
  const entries = await query(
    `select action, actor_id from audit_log where action ~ '\\.(read|list|stream)$' order by id`,
  )
  assert.deepEqual(
    entries.filter(({ actor_id }) => actor_id === staff.userId).map(({ action }) => action),
    [
      'conversation.read',
      'transcript.read',
      'conversation.list',
      'event.list',
      'transcript.read',
      'report.read',
      'conversation.stream',
      'event.stream',
    ],
  )
  assert.equal(entries.filter(({ actor_id }) => actor_id === own.owner.userId).length, 0)
})

test('serves the recording as one file with ranges', async () => {
  const { id } = await recorded(['one', wavOf('two', 2)])
  const audio = `/api/v2/conversations/${id}/audio`
  const whole = await until(
    () => portal.owner.get(audio),
    ({ status }) => status === 200,
  )
  assert.equal(whole.headers.get('accept-ranges'), 'bytes')
  const size = Number(whole.headers.get('content-length'))
  // Three seconds of 16-bit samples at 16 kHz, and a header.
  assert.ok(size > 96_000 && size < 97_000, String(size))
  const part = await portal.owner.get(audio, { range: 'bytes=0-3' })
  assert.deepEqual(
    [part.status, part.text, part.headers.get('content-range')],
    [206, 'RIFF', `bytes 0-3/${size}`],
  )
  const etag = String(whole.headers.get('etag'))
  for (const [ifRange, status] of [
    [etag, 206],
    ['"another"', 200],
    [`W/${etag}`, 200],
    ['Wed, 21 Oct 2026 07:28:00 GMT', 200],
  ] as const) {
    const again = await portal.owner.get(audio, { range: 'bytes=0-3', 'if-range': ifRange })
    assert.equal(again.status, status, `If-Range: ${ifRange}`)
  }
  const behind = await portal.owner.get(audio, { range: `bytes=${size}-` })
  assert.deepEqual(
    [behind.status, behind.body.code, behind.headers.get('content-range')],
    [416, 'range_not_satisfiable', `bytes */${size}`],
  )
})

test('streams the states of conversations, and resumes after Last-Event-ID without a gap', async () => {
  const own = await newPortal(backend)
  const url = `${backend.url}/api/v2/projects/${own.projectId}/stream`
  const stream = await openStream(url, own.owner.token)
  const one = await recorded('Benches', { of: own })
  const last = await until(
    async () => stream.events.at(-1),
    (event) => event?.data.status === 'done',
  )
  assert.deepEqual([last?.event, last?.data.id, last?.data.title], ['conversation', one.id, 'Benches'])
  assert.ok(!JSON.stringify(stream.events).includes('points'), 'the stream has no content')
  stream.close()
  const two = await recorded('Light', { of: own })
  await own.owner.send('DELETE', `/api/v2/conversations/${one.id}`)
  const again = await openStream(url, own.owner.token, { 'last-event-id': last?.id ?? '' })
  const events = await until(
    async () => again.events,
    (all) => all.some(({ data }) => data.deleted),
  )
  assert.deepEqual(
    [...new Set(events.map(({ data }) => `${data.id} ${data.deleted ? 'deleted' : data.status}`))],
    [`${two.id} done`, `${one.id} deleted`],
  )
  again.close()
  assert.equal(
    (await own.owner.get(`/api/v2/projects/${own.projectId}/stream`, { 'last-event-id': 'x' })).status,
    422,
  )
})

test('the stream starts at `since`, shows changes by hosts, and its ids are positions', async () => {
  const own = await newPortal(backend)
  const [old, recent] = [await recorded('Old', { of: own }), await recorded('Recent', { of: own })]
  await query(`update conversations set changed_at = now() - interval '1 day' where id = $1`, [old.id])
  const since = encodeURIComponent(new Date(Date.now() - 3_600_000).toISOString())
  const url = `${backend.url}/api/v2/projects/${own.projectId}/stream?since=${since}`
  const stream = await openStream(url, own.owner.token)
  const [first] = await stream.got(1)
  assert.deepEqual([first?.data.id, first?.data.position], [recent.id, first?.id])
  await own.owner.send('PATCH', `/api/v2/conversations/${old.id}`, { title: 'Corrected' })
  const [, second] = await stream.got(2)
  assert.deepEqual([second?.data.id, second?.data.title], [old.id, 'Corrected'])
  stream.close()

  const cursor = Buffer.from(first?.id ?? '').toString('base64url')
  const again = await openStream(url, own.owner.token, { 'last-event-id': cursor })
  assert.equal((await again.got(1))[0]?.data.title, 'Corrected')
  again.close()
})
