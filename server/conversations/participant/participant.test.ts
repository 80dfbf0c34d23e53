import assert from 'node:assert/strict'
import { hash, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { request } from '../../../test/support/backend.ts'
import {
  newConversation,
  newPortal,
  participantOf,
  untilStatus,
} from '../../../test/support/conversations.ts'
import { scriptedEngines, wavOf } from '../../../test/support/engines.ts'
import { until } from '../../../test/support/webhooks.ts'
import { backend, portal, query, recorded, setUp } from '../testing/setup.ts'

const engines = scriptedEngines()
const { transcriber } = engines
setUp({ engines })

const eventsOf = (id: string) =>
  query(
    `select type, convert_from(full_body, 'UTF8')::json -> 'data' -> 'conversation' as body
     from events where subject_id = $1 order by id`,
    [id],
  )

test('a recording of a participant gets a transcript, a title and a summary', async () => {
  const { id, send, token } = await newConversation(portal, { participant_name: 'Ada', tags: ['park'] })
  assert.equal((await send('PUT', '/chunks/0', wavOf('The park needs benches'))).status, 201)
  assert.equal((await send('PUT', '/chunks/1', wavOf('And light\nat night', 2))).status, 201)
  assert.equal((await send('POST', '/finish', { chunks: 2 })).status, 202)
  const done = await untilStatus(portal, id, token, 'done')
  assert.deepEqual(done.received, [[0, 1]])
  assert.equal(done.transcript_so_far, 'The park needs benches\nAnd light\nat night')

  const events = await eventsOf(id)
  assert.deepEqual(
    events.map(({ type }) => type),
    ['conversation.started', 'conversation.transcribed', 'conversation.summarized'],
  )
  const [started, transcribed, summarized] = events.map(({ body }) => body)
  assert.deepEqual([started.status, started.revision, started.participant_name], ['recording', 1, 'Ada'])
  assert.equal(transcribed.transcript, done.transcript_so_far)
  assert.equal(transcribed.duration_seconds, 3)
  assert.equal(summarized.title, 'The park needs benches')
  assert.match(summarized.summary, /And light/)
  assert.deepEqual(summarized.tags, ['park', 'scripted'])
})

test('events and participants get what was said and typed, with speakers and unclear marks', async () => {
  const { id, token, send } = await newConversation(portal)
  const chunks = [
    '@{"speaker": "A"} The park needs benches\n@{"speaker": "B", "confidence": 0.2} And a zither',
    '!unreadable',
    '@{"confidence": 0.3} [unclear]\n@{"confidence": 0.9} And light',
  ]
  for (const [seq, said] of chunks.entries()) await send('PUT', `/chunks/${seq}`, wavOf(said))
  await send('PUT', '/chunks/4', wavOf('After a loss'))
  await send('POST', '/text', { content: 'I am deaf\n\nand like water' })
  await send('POST', '/finish', { chunks: 6, accept_missing: true })
  const done = await untilStatus(portal, id, token, 'done')
  const { text } = await portal.owner.get(`/api/v2/conversations/${id}/transcript?format=txt`)
  const lines = [...text.matchAll(/^\[\d\d:\d\d:\d\d\] (.*)$/gm)].map(([, line]) => line)
  assert.deepEqual(lines.toSorted(), [
    'A: The park needs benches',
    'After a loss',
    'And light',
    'B: [unclear] And a zither',
    '[audio missing: not_received]',
    '[audio missing: not_received]',
    '[audio missing: unreadable]',
    '[unclear]',
    '[written] I am deaf',
    '[written] and like water',
  ])
  const shown = lines
    .filter((line) => !line?.startsWith('[audio missing'))
    .map((line) => line?.replace('[written] ', ''))
    .join('\n')
  const [, transcribed, summarized] = await eventsOf(id)
  assert.equal(transcribed?.body.transcript, shown)
  assert.equal(summarized?.body.transcript, shown)
  assert.equal(done.transcript_so_far, shown)

  const foundBy = async (q: string): Promise<string[]> =>
    (await portal.owner.get(`/api/v2/projects/${portal.projectId}/conversations?q=${q}`)).body.data.map(
      (found: { id: string }) => found.id,
    )
  assert.deepEqual(await foundBy('zither'), [id])
  // Marks and names of speakers are not words of the conversation.
  for (const mark of ['received', 'written', 'unclear']) assert.deepEqual(await foundBy(mark), [], mark)

  await portal.owner.send('PATCH', `/api/v2/conversations/${id}/speakers`, { B: 'Ben' })
  assert.match((await send('GET', '')).body.transcript_so_far, /^Ben: \[unclear\] And a zither$/m)
})

test('a transcript that exceeds 64 KiB with its marks is left out of events', async () => {
  const said = Array.from({ length: 100 }, () => `@{"confidence": 0.2} ${'benches '.repeat(81)}now`)
  const { id, send } = await recorded(said.join('\n'))
  const { length } = (await send('GET', '')).body.transcript_so_far
  assert.ok(length > 65_536 && length - said.length * '[unclear] '.length < 65_536, `${length}`)
  const [, transcribed] = await eventsOf(id)
  assert.deepEqual([transcribed?.body.transcript, transcribed?.body.transcript_truncated], [undefined, true])
})

test('tags at the end replace those of the start, once', async () => {
  const { id, send, token } = await newConversation(portal, { tags: ['park'] })
  await send('PUT', '/chunks/0', wavOf('The trees'))
  assert.equal((await send('POST', '/finish', { chunks: 2, tags: ['early'] })).status, 409)
  assert.equal((await send('POST', '/finish', { chunks: 1, tags: ['trees', 'trees'] })).status, 202)
  assert.equal((await send('POST', '/finish', { chunks: 1, tags: ['late'] })).status, 202)
  await untilStatus(portal, id, token, 'done')
  const [row] = await query('select tags from conversations where id = $1', [id])
  assert.deepEqual(row.tags, ['trees', 'scripted'])
})

test('tags that a host has set stay when the participant finishes', async () => {
  const { id, send } = await newConversation(portal, { tags: ['park'] })
  await query("update conversations set tags = '{host}', own_tags = true where id = $1", [id])
  assert.equal((await send('POST', '/finish', { tags: ['mine'] })).status, 202)
  const [row] = await query('select tags from conversations where id = $1', [id])
  assert.deepEqual(row.tags, ['host'])
})

test('the transcript grows during the recording', async () => {
  const { id, send, token } = await newConversation(portal)
  await send('PUT', '/chunks/0', wavOf('hello'))
  await untilStatus(portal, id, token, 'recording', ({ transcript_so_far }) => transcript_so_far === 'hello')
})

test('the same chunk again is 200, a different one with its number 409', async () => {
  const { id, send } = await newConversation(portal)
  const bytes = wavOf('once')
  const first = await send('PUT', '/chunks/0', bytes)
  assert.deepEqual([first.status, first.body.bytes], [201, bytes.length])
  assert.equal(first.body.sha256, hash('sha256', bytes))
  assert.equal((await send('PUT', '/chunks/0', bytes)).status, 200)
  const other = await send('PUT', '/chunks/0', wavOf('twice'))
  assert.deepEqual([other.status, other.body.code], [409, 'chunk_conflict'])
  assert.deepEqual(await query('select bytes from conversations where id = $1', [id]), [
    { bytes: bytes.length },
  ])
})

test('progress and finish list the missing chunks', async () => {
  const { send } = await newConversation(portal)
  for (const seq of [5, 0, 1])
    assert.equal((await send('PUT', `/chunks/${seq}`, wavOf(`${seq}`))).status, 201)
  const { body } = await send('GET', '')
  assert.equal(JSON.stringify([body.received, body.missing]), '[[[0,1],[5,5]],[2,3,4]]')
  const refused = await send('POST', '/finish', { chunks: 6 })
  assert.deepEqual(
    [refused.status, refused.body.code, refused.body.missing],
    [409, 'chunks_missing', [2, 3, 4]],
  )
  assert.equal((await send('GET', '')).body.status, 'recording')
})

for (const [name, received, gaps] of [
  ['between others', [0, 2], [[1_000, 2_000]]],
  ['at the end', [0, 1], [[2_000, 3_000]]],
] as const)
  test(`a conversation can be finished without a chunk ${name}, which is a gap until it arrives`, async () => {
    const { id, send, token } = await newConversation(portal)
    for (const seq of received) await send('PUT', `/chunks/${seq}`, wavOf(`${seq}`))
    for (const _time of ['first', 'repeated'])
      assert.equal((await send('POST', '/finish', { chunks: 3, accept_missing: true })).status, 202)
    await untilStatus(portal, id, token, 'done')
    const read = async () => (await portal.owner.get(`/api/v2/conversations/${id}`)).body
    const { missing, missing_seconds, duration_seconds } = await read()
    assert.deepEqual(
      missing.map(({ start_ms, end_ms }: { start_ms: number; end_ms: number }) => [start_ms, end_ms]),
      gaps,
    )
    assert.deepEqual([missing_seconds, duration_seconds], [1, 2])
    const { text } = await portal.owner.get(`/api/v2/conversations/${id}/transcript?format=txt`)
    assert.match(text, /\[audio missing: not_received\]/)

    const [late] = [0, 1, 2].filter((seq) => !(received as readonly number[]).includes(seq))
    assert.equal((await send('PUT', `/chunks/${late}`, wavOf(`${late}`))).status, 201)
    await untilStatus(portal, id, token, 'done', (progress) => progress.transcript_so_far === '0\n1\n2')
    const complete = await read()
    assert.deepEqual([complete.missing, complete.missing_seconds, complete.duration_seconds], [[], 0, 3])
  })

test('a conversation that is already finished shows a gap when its participant misses the last chunk', async () => {
  const { id, send, token } = await recorded('first')
  assert.equal((await send('POST', '/finish', { chunks: 2, accept_missing: true })).status, 202)
  await untilStatus(portal, id, token, 'done')
  assert.equal((await portal.owner.get(`/api/v2/conversations/${id}`)).body.missing_seconds, 1)
})

test('a recording of which nothing arrived fails as incomplete, until a chunk arrives', async () => {
  const { id, send, token } = await newConversation(portal)
  await send('POST', '/finish', { chunks: 3, accept_missing: true })
  await untilStatus(portal, id, token, 'failed')
  const read = async () => (await portal.owner.get(`/api/v2/conversations/${id}`)).body
  const { failure, missing, missing_seconds } = await read()
  assert.deepEqual([failure, missing_seconds], ['incomplete', 15])
  assert.deepEqual(missing, [{ start_ms: 0, end_ms: 15_000 }])
  assert.equal((await portal.owner.get(`/api/v2/conversations/${id}/audio`)).status, 410)

  await send('PUT', '/chunks/1', wavOf('after all'))
  const done = await untilStatus(portal, id, token, 'done')
  assert.equal(done.transcript_so_far, 'after all')
  assert.equal((await read()).failure, null)
})

test('a conversation without any recording is done', async () => {
  const { id, send, token } = await newConversation(portal)
  await send('POST', '/finish', { chunks: 0 })
  await untilStatus(portal, id, token, 'done')
})

test('missing and undecodable chunks have the recommended length if no other is known', async () => {
  const { id, send, token } = await newConversation(portal)
  await send('PUT', '/chunks/1', wavOf('!unreadable'))
  await send('POST', '/finish')
  await untilStatus(portal, id, token, 'failed')
  const { missing } = (await portal.owner.get(`/api/v2/conversations/${id}`)).body
  assert.deepEqual(missing, [
    { start_ms: 0, end_ms: 5_000 },
    { start_ms: 5_000, end_ms: 10_000 },
  ])
})

test('finish is idempotent, and needs no number of chunks', async () => {
  const { id, send, token } = await newConversation(portal)
  await send('PUT', '/chunks/0', wavOf('one'))
  assert.equal((await send('POST', '/finish')).status, 202)
  assert.equal((await send('POST', '/finish', {})).status, 202)
  await untilStatus(portal, id, token, 'done')
  assert.equal((await send('POST', '/finish')).status, 202)
  assert.equal((await eventsOf(id)).length, 3)
})

test('audio after the end reopens the conversation and fires its events with a higher revision', async () => {
  const { id, send, token } = await recorded('first')
  assert.equal((await send('PUT', '/chunks/1', wavOf('late'))).status, 201)
  const done = await untilStatus(portal, id, token, 'done', ({ transcript_so_far }) =>
    transcript_so_far.includes('late'),
  )
  assert.equal(done.transcript_so_far, 'first\nlate')
  const events = (await eventsOf(id)).map(({ type, body }) => `${type} ${body.revision}`)
  assert.deepEqual(events, [
    'conversation.started 1',
    'conversation.transcribed 1',
    'conversation.summarized 1',
    'conversation.transcribed 2',
    'conversation.summarized 2',
  ])
})

test('finishes a conversation with no activity for 15 minutes, and reopens it for new audio', async () => {
  const { id, token, send } = await newConversation(portal)
  await send('PUT', '/chunks/0', wavOf('here'))
  await age(id, '14 minutes 50 seconds')
  assert.equal((await send('GET', '')).body.status, 'recording')
  await age(id, '15 minutes 1 second')
  await untilStatus(portal, id, token, 'done')
  assert.equal((await send('PUT', '/chunks/1', wavOf('again'))).status, 201)
  assert.equal((await send('GET', '')).body.status, 'recording')
})

test('a heartbeat counts as activity', async () => {
  const { id, send } = await newConversation(portal)
  await age(id, '14 minutes')
  assert.equal((await send('POST', '/heartbeat')).status, 204)
  const active = `select active_at > now() - interval '1 minute' as active from conversations where id = $1`
  assert.deepEqual(await query(active, [id]), [{ active: true }])
})

const age = (id: string, by: string) =>
  query('update conversations set active_at = now() - $2::interval where id = $1', [id, by])

test('leaves a gap for a chunk that cannot be transcribed and continues after it', async () => {
  const { id, send } = await recorded(['before', '!unreadable', 'after'])
  assert.equal((await send('GET', '')).body.transcript_so_far, 'before\nafter')
  const chunks = await query('select state, failure from chunks where conversation_id = $1 order by seq', [
    id,
  ])
  assert.deepEqual(chunks[1], { state: 'failed', failure: 'unreadable' })
})

test('a silent recording has an empty transcript', async () => {
  const { id } = await recorded('')
  const transcribed = (await eventsOf(id)).find(({ type }) => type === 'conversation.transcribed')
  assert.equal(transcribed?.body.transcript, '')
})

test('an unsupported language fails the conversation with that reason', async () => {
  const { id } = await recorded('!unsupported_language', { status: 'failed' })
  const [row] = await query('select failure from conversations where id = $1', [id])
  assert.equal(row.failure, 'unsupported_language')
  assert.deepEqual(
    (await eventsOf(id)).map(({ type }) => type),
    ['conversation.started', 'conversation.failed'],
  )
})

test('includes text entries in the transcript and the summary', async () => {
  const { id, send, token } = await newConversation(portal)
  const nul = String.fromCharCode(0)
  assert.equal((await send('POST', '/text', { content: `I am ${nul}deaf 👋` })).status, 201)
  await send('POST', '/finish')
  const done = await untilStatus(portal, id, token, 'done')
  assert.equal(done.transcript_so_far, 'I am deaf 👋')
  const [, transcribed] = await eventsOf(id)
  assert.equal(transcribed?.body.source, 'portal_text')
})

test('a request with the same idempotency key gets the same response and stores nothing twice', async () => {
  const key = { 'idempotency-key': randomUUID() }
  const start = (body: object, headers: Record<string, string>) =>
    request(`${portal.url}/conversations`, 'POST', body, headers)
  const [one, two] = await Promise.all([start({ tags: [] }, key), start({ tags: [] }, key)])
  assert.deepEqual([one.status, two.status, two.body], [201, 201, one.body])
  assert.equal((await start({ language: 'nl' }, key)).body.code, 'idempotency_key_reused')
  const short = await start({}, { 'idempotency-key': '1' })
  assert.deepEqual([short.status, short.body.errors[0].path], [422, 'Idempotency-Key'])
  const send = participantOf(backend.url, one.body.id, one.body.token)
  const write = (content: string) => send('POST', '/text', { content }, { 'idempotency-key': '1' })
  const [first, again] = [await write('Said once'), await write('Said once')]
  assert.deepEqual([first.status, again.status, again.body], [201, 201, first.body])
  assert.equal((await write('Something else')).status, 422)
  const rows = await query('select content from text_entries where conversation_id = $1', [one.body.id])
  assert.deepEqual(rows, [{ content: 'Said once' }])
})

test('chunks without a container header continue the chunk before them', async () => {
  const { id, send, token } = await newConversation(portal)
  const whole = wavOf('one\ntwo\nthree', 3)
  // The scripted engine reads its text from the end of the file, so the first part alone has none.
  assert.equal((await send('PUT', '/chunks/1', whole.subarray(40_000))).status, 201)
  assert.equal((await send('PUT', '/chunks/0', whole.subarray(0, 40_000))).status, 201)
  await send('POST', '/finish', { chunks: 2 })
  const done = await untilStatus(portal, id, token, 'done')
  assert.equal(done.transcript_so_far, 'one\ntwo\nthree')
})

test('a chunk that continues a missing one fails after the recording', async () => {
  const { id, send, token } = await newConversation(portal)
  const whole = wavOf('lost', 3)
  await send('PUT', '/chunks/1', whole.subarray(40_000))
  await send('PUT', '/chunks/2', wavOf('kept'))
  await send('POST', '/finish')
  const done = await untilStatus(portal, id, token, 'done')
  assert.equal(done.transcript_so_far, 'kept')
  const [chunk] = await query('select failure from chunks where conversation_id = $1 and seq = 1', [id])
  assert.equal(chunk.failure, 'incomplete')
})

test('a continuation that cannot be decoded leaves a gap', async () => {
  const { id } = await recorded(['before', Buffer.alloc(60_000, 'FORMxxxxAIFF'), 'after'])
  const { text } = await portal.owner.get(`/api/v2/conversations/${id}/transcript?format=txt`)
  assert.match(text, /before\n.*\[audio missing: unreadable\]\n.*after/)
})

test('a job waits as long as the model server asks, with all of its retries', async () => {
  const { id, send } = await newConversation(portal)
  await send('PUT', '/chunks/0', wavOf('!retry-later'))
  const [job] = await until(
    () =>
      query(
        `select state, retry_count, extract(epoch from start_after - now())::integer as seconds
         from jobs.job where data->>'conversation_id' = $1 and data->>'postponed' = '1'`,
        [id],
      ),
    ({ length }) => length === 1,
  )
  assert.deepEqual([job.state, job.retry_count], ['created', 0])
  assert.ok(job.seconds > 3_500 && job.seconds <= 3_600, String(job.seconds))
})

test('retries a chunk whose decoder is killed, and fails it after five times', async () => {
  const { id, send, token } = await newConversation(portal)
  await send('PUT', '/chunks/0', wavOf('!interrupted'))
  const [job] = await until(
    () =>
      query(
        `select id, retry_count from jobs.job
         where data->>'conversation_id' = $1 and data->>'interrupted' = '1' and state < 'active'`,
        [id],
      ),
    ({ length }) => length === 1,
  )
  assert.equal(job.retry_count, 0)
  // As after four more interruptions.
  await query(`update jobs.job set data = data || '{"interrupted": 5}', start_after = now() where id = $1`, [
    job.id,
  ])
  await send('POST', '/finish')
  await untilStatus(portal, id, token, 'failed')
  const rows = await query('select state, failure from chunks where conversation_id = $1', [id])
  assert.deepEqual(rows, [{ state: 'failed', failure: 'unreadable' }])
})

test('transcribes in the participant’s language, else the project’s, else detects one that it offers', async () => {
  const cases: [languages: string[], start: object, language: string | null, candidates: string[]][] = [
    [[], {}, 'de', ['de']],
    [['pt'], { language: 'pt-BR' }, 'pt', ['de', 'pt']],
    [['de-AT', 'nl'], {}, null, ['de', 'nl']],
  ]
  for (const [languages, start, language, candidates] of cases) {
    const of = await newPortal(backend, { language: 'de', languages, hotwords: ['Parley'] })
    const before = transcriber.requests.length
    await recorded('x', { of, start })
    const expected = { language, candidates, hotwords: ['Parley'], from: 0 }
    assert.deepEqual(transcriber.requests[before], expected)
  }
})

test('requires consent, and stores it with the digest of the text', async () => {
  const own = await newPortal(backend, { consent_text: 'We keep your voice for a year.' })
  const start = (body: object) => request(`${own.url}/conversations`, 'POST', body)
  for (const consent of [{}, { consent: false }])
    assert.deepEqual(
      [(await start(consent)).status, (await start(consent)).body.code],
      [422, 'consent_required'],
    )
  const { status, body } = await start({ consent: true })
  assert.equal(status, 201)
  const [{ consent }] = await query('select consent from conversations where id = $1', [body.id])
  const digest = hash('sha256', 'We keep your voice for a year.')
  assert.deepEqual([consent.text_sha256, consent.language], [digest, 'und'])
})

test('shows the consent text that was agreed to after the project’s text has changed', async () => {
  const texts = ['We keep your voice for a year.', 'We keep your voice without limit.', 'We keep nothing.']
  const own = await newPortal(backend, { consent_text: texts[0] })
  const ids = []
  for (const consent_text of texts) {
    await own.owner.send('PATCH', `/api/v2/projects/${own.projectId}`, { consent_text })
    ids.push((await newConversation(own, { consent: true })).id)
  }
  await own.owner.send('PATCH', `/api/v2/projects/${own.projectId}`, { consent_text: null })
  const agreed = []
  for (const id of ids) {
    const { body, headers } = await own.owner.get(`/api/v2/conversations/${id}`)
    assert.equal(hash('sha256', body.consent.text), body.consent.text_sha256)
    agreed.push(body.consent.text)
    const match = { 'if-match': String(headers.get('etag')) }
    const patched = await own.owner.send('PATCH', `/api/v2/conversations/${id}`, { title: 'T' }, match)
    assert.equal(patched.status, 200, 'the ETag that was read matches')
  }
  assert.deepEqual(agreed, texts)
  const listed = await own.owner.get(`/api/v2/projects/${own.projectId}/conversations`)
  assert.ok(!listed.text.includes('without limit'), 'lists do not contain consent texts')
})

test('a closed project rejects new conversations and lets running ones finish', async () => {
  const own = await newPortal(backend)
  const running = await newConversation(own)
  await own.owner.send('PATCH', `/api/v2/projects/${own.projectId}`, { is_open: false })
  const refused = await request(`${own.url}/conversations`, 'POST', {})
  assert.deepEqual([refused.status, refused.body.code], [403, 'closed'])
  assert.equal((await request(own.url, 'GET')).body.is_open, false)
  assert.equal((await running.send('PUT', '/chunks/0', wavOf('still here'))).status, 201)
  assert.equal((await running.send('POST', '/finish')).status, 202)
})

test('every request needs the token of its conversation', async () => {
  const { id, send } = await newConversation(portal)
  const other = await newConversation(portal)
  const calls: [string, string, unknown?][] = [
    ['GET', ''],
    ['PUT', '/chunks/0', wavOf('x')],
    ['POST', '/text', { content: 'x' }],
    ['POST', '/heartbeat'],
    ['POST', '/finish'],
    ['DELETE', ''],
  ]
  for (const [method, path, body] of calls) {
    for (const token of ['', 'wrong', other.token]) {
      const reply = await participantOf(portal.backend.url, id, token)(method, path, body)
      assert.deepEqual(
        [reply.status, reply.body.code],
        [403, 'participant_token_rejected'],
        `${method} ${path}`,
      )
    }
    const unknown = await participantOf(portal.backend.url, randomUUID(), 'x')(method, path, body)
    assert.equal(unknown.status, 404)
  }
  assert.equal((await send('GET', '')).status, 200)
})

type Bad = [why: string, body: unknown, code?: string, headers?: Record<string, string>]
const STATUSES = { invalid_input: 422, unsupported_media: 415, too_large: 413 }
const x = wavOf('x')
const digest = `sha-256=:${Buffer.alloc(32).toString('base64')}:`
const BAD: Record<string, Bad[]> = {
  'PUT /chunks/0': [
    ['no bytes', Buffer.alloc(0)],
    ['no body', undefined],
    ['a web page', Buffer.from('<!doctype html><html>'.repeat(20)), 'unsupported_media'],
    ['another content type', x, 'unsupported_media', { 'content-type': 'application/json' }],
    ['26 MiB', Buffer.alloc(26 * 1024 * 1024), 'too_large'],
    ['a wrong digest', x, 'invalid_input', { 'content-digest': digest }],
    ['a malformed time', x, 'invalid_input', { 'x-recorded-at': 'yesterday' }],
    ['a time before the calendar', x, 'invalid_input', { 'x-recorded-at': '0000-01-01T00:00:00Z' }],
  ],
  'PUT /chunks/-1': [['a number below 0', x]],
  'PUT /chunks/1000000000': [['a number above the limit', x]],
  'PUT /chunks/x': [['a malformed number', x]],
  'POST /text': [
    ['blank text', { content: ' ' }],
    ['too long a text', { content: 'x'.repeat(100_001) }],
    ['an unknown field', { content: 'x', more: 1 }],
  ],
  'POST /finish': [['half a chunk', { chunks: 0.5 }]],
}
for (const [route, cases] of Object.entries(BAD))
  for (const [why, body, code = 'invalid_input', headers] of cases)
    test(`${route} with ${why} is ${code} and stores nothing`, async () => {
      const { id, send } = await newConversation(portal)
      const [method = '', path = ''] = route.split(' ')
      const reply = await send(method, path, body, headers)
      assert.deepEqual([STATUSES[code as keyof typeof STATUSES], code], [reply.status, reply.body.code])
      for (const table of ['chunks', 'text_entries'])
        assert.deepEqual(await query(`select from ${table} where conversation_id = $1`, [id]), [])
    })

test('rejects 10,000 tags and accepts right-to-left and emoji names', async () => {
  const start = (body: object) => request(`${portal.url}/conversations`, 'POST', body)
  const tags = Array.from({ length: 10_000 }, (_, n) => `tag ${n}`)
  assert.equal((await start({ tags })).status, 422)
  assert.equal((await start({ participant_name: 'מרים 👩‍👩‍👧', tags: ['حديقة'] })).status, 201)
  assert.equal((await start({ participant_email: 'no address' })).status, 422)
})

test('every request to an unknown project is 404', async () => {
  for (const id of [randomUUID(), 'x']) {
    assert.equal((await request(`${backend.url}/api/participant/projects/${id}`, 'GET')).status, 404)
    assert.equal(
      (await request(`${backend.url}/api/participant/projects/${id}/conversations`, 'POST', {})).status,
      404,
    )
  }
})

test('withdraw_url is a page that runs only its own script, and opening it changes nothing', async () => {
  const started = await request(`${portal.url}/conversations`, 'POST', {})
  const link = new URL(started.body.withdraw_url)
  assert.equal(link.origin, 'http://parley.test')
  // After the #: browsers never send it to a server.
  assert.equal(link.hash, `#${started.body.token}`)
  const page = await request(`${backend.url}${link.pathname}`, 'GET')
  assert.equal(page.status, 200)
  const policy = String(page.headers.get('content-security-policy'))
  assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self';/)
  assert.doesNotMatch(page.text, /<script>|<style>| on\w+=/)
  const send = participantOf(backend.url, started.body.id, started.body.token)
  assert.equal((await send('GET', '')).status, 200)
})
