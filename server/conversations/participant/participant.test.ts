import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { type Reply, request, startBackend, type TestBackend } from '../../../test/support/backend.ts'
import {
  newConversation,
  newPortal,
  type Portal,
  participantOf,
  untilStatus,
} from '../../../test/support/conversations.ts'
import { scriptedSummarizer, scriptedTranscriber, wavOf } from '../../../test/support/engines.ts'
import { until } from '../../../test/support/webhooks.ts'

let backend: TestBackend
let portal: Portal
const transcriber = scriptedTranscriber()

before(async () => {
  backend = await startBackend({ engines: { transcriber, summarizer: scriptedSummarizer() } })
  portal = await newPortal(backend)
})
after(() => backend.stop())

const eventsOf = async (id: string) =>
  (
    await backend.database.pool.query<{ type: string; body: Reply['body'] }>(
      `select type, convert_from(full_body, 'UTF8')::json -> 'data' -> 'conversation' as body
       from events where subject_id = $1 order by id`,
      [id],
    )
  ).rows

test('somebody records without an account, and it becomes a transcript, a title and a summary', async () => {
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

test('text appears while people still speak', async () => {
  const { id, send, token } = await newConversation(portal)
  await send('PUT', '/chunks/0', wavOf('hello'))
  const now = await untilStatus(
    portal,
    id,
    token,
    'recording',
    ({ transcript_so_far }) => transcript_so_far !== '',
  )
  assert.equal(now.transcript_so_far, 'hello')
})

test('the same bytes again are 200, others under a used number 409, and the first ones stay', async () => {
  const { id, send } = await newConversation(portal)
  const bytes = wavOf('once')
  const first = await send('PUT', '/chunks/0', bytes)
  assert.deepEqual([first.status, first.body.bytes], [201, bytes.length])
  assert.equal(first.body.sha256, createHash('sha256').update(bytes).digest('hex'))
  assert.equal((await send('PUT', '/chunks/0', bytes)).status, 200)
  const other = await send('PUT', '/chunks/0', wavOf('twice'))
  assert.deepEqual([other.status, other.body.code], [409, 'chunk_conflict'])
  const { rows } = await backend.database.pool.query('select bytes from conversations where id = $1', [id])
  assert.equal(rows[0].bytes, bytes.length)
})

test('chunks that arrive in any order, with gaps, are told of; finish names those that are missing', async () => {
  const { send } = await newConversation(portal)
  for (const seq of [5, 0, 1])
    assert.equal((await send('PUT', `/chunks/${seq}`, wavOf(`${seq}`))).status, 201)
  const { body } = await send('GET', '')
  assert.deepEqual(
    [body.received, body.missing],
    [
      [
        [0, 1],
        [5, 5],
      ],
      [2, 3, 4],
    ],
  )
  const refused = await send('POST', '/finish', { chunks: 6 })
  assert.deepEqual(
    [refused.status, refused.body.code, refused.body.missing],
    [409, 'chunks_missing', [2, 3, 4]],
  )
  assert.equal((await send('GET', '')).body.status, 'recording')
})

test('finish is idempotent, and needs no number', async () => {
  const { id, send, token } = await newConversation(portal)
  await send('PUT', '/chunks/0', wavOf('one'))
  assert.equal((await send('POST', '/finish')).status, 202)
  assert.equal((await send('POST', '/finish', {})).status, 202)
  await untilStatus(portal, id, token, 'done')
  assert.equal((await send('POST', '/finish')).status, 202)
  assert.equal((await eventsOf(id)).length, 3)
})

test('audio after the end reopens it: the events fire again with a higher revision', async () => {
  const { id, send, token } = await newConversation(portal)
  await send('PUT', '/chunks/0', wavOf('first'))
  await send('POST', '/finish')
  await untilStatus(portal, id, token, 'done')
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

test('who is silent for 15 minutes is finished by the service, and new audio means that somebody goes on', async () => {
  const { id, token, send } = await newConversation(portal)
  await send('PUT', '/chunks/0', wavOf('here'))
  await age(id, '14 minutes 50 seconds')
  assert.equal((await send('GET', '')).body.status, 'recording')
  await age(id, '15 minutes 1 second')
  await untilStatus(portal, id, token, 'done')
  assert.equal((await send('PUT', '/chunks/1', wavOf('again'))).status, 201)
  assert.equal((await send('GET', '')).body.status, 'recording')
})

test('a heartbeat is a sign of life', async () => {
  const { id, send } = await newConversation(portal)
  await age(id, '14 minutes')
  assert.equal((await send('POST', '/heartbeat')).status, 204)
  const { rows } = await backend.database.pool.query(
    `select active_at > now() - interval '1 minute' as alive from conversations where id = $1`,
    [id],
  )
  assert.equal(rows[0].alive, true)
})

const age = (id: string, by: string) =>
  backend.database.pool.query('update conversations set active_at = now() - $2::interval where id = $1', [
    id,
    by,
  ])

test('leaves a gap for a chunk that cannot be transcribed and continues after it', async () => {
  const { id, send, token } = await newConversation(portal)
  await send('PUT', '/chunks/0', wavOf('before'))
  await send('PUT', '/chunks/1', wavOf('!unreadable'))
  await send('PUT', '/chunks/2', wavOf('after'))
  await send('POST', '/finish', { chunks: 3 })
  const done = await untilStatus(portal, id, token, 'done')
  assert.equal(done.transcript_so_far, 'before\nafter')
  const { rows } = await backend.database.pool.query(
    'select seq, state, failure from chunks where conversation_id = $1 order by seq',
    [id],
  )
  assert.deepEqual(rows[1], { seq: 1, state: 'failed', failure: 'unreadable' })
})

test('where nothing was said the transcript is empty, and told of as such', async () => {
  const { id, send, token } = await newConversation(portal)
  await send('PUT', '/chunks/0', wavOf(''))
  await send('POST', '/finish')
  await untilStatus(portal, id, token, 'done')
  const transcribed = (await eventsOf(id)).find(({ type }) => type === 'conversation.transcribed')
  assert.equal(transcribed?.body.transcript, '')
})

test('a language that the engine does not speak ends in failed with that reason, never in an empty text', async () => {
  const { id, send, token } = await newConversation(portal)
  await send('PUT', '/chunks/0', wavOf('!unsupported_language'))
  await send('POST', '/finish')
  await untilStatus(portal, id, token, 'failed')
  const { rows } = await backend.database.pool.query('select failure from conversations where id = $1', [id])
  assert.equal(rows[0].failure, 'unsupported_language')
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

test('a phone that asks again with the same key gets what it got, and nothing twice', async () => {
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
  const { rows } = await backend.database.pool.query(
    'select content from text_entries where conversation_id = $1',
    [one.body.id],
  )
  assert.deepEqual(rows, [{ content: 'Said once' }])
})

test('chunks without a head of their own continue the one before', async () => {
  const { id, send, token } = await newConversation(portal)
  const whole = wavOf('one\ntwo\nthree', 3)
  // The script finds its note at the end: a head that is cut has nothing to say yet.
  assert.equal((await send('PUT', '/chunks/1', whole.subarray(40_000))).status, 201)
  assert.equal((await send('PUT', '/chunks/0', whole.subarray(0, 40_000))).status, 201)
  await send('POST', '/finish', { chunks: 2 })
  const done = await untilStatus(portal, id, token, 'done')
  assert.equal(done.transcript_so_far, 'one\ntwo\nthree')
})

test('what continues a chunk that never came is given up when the recording is over', async () => {
  const { id, send, token } = await newConversation(portal)
  const whole = wavOf('lost', 3)
  await send('PUT', '/chunks/0', wavOf('kept'))
  await send('PUT', '/chunks/2', whole.subarray(40_000))
  await send('POST', '/finish')
  const done = await untilStatus(portal, id, token, 'done')
  assert.equal(done.transcript_so_far, 'kept')
  const { rows } = await backend.database.pool.query(
    'select failure from chunks where conversation_id = $1 and seq = 2',
    [id],
  )
  assert.equal(rows[0].failure, 'incomplete')
})

test('bytes that continue nothing, though they came as a continuation, leave a mark where they would be', async () => {
  const { id, send, token } = await newConversation(portal)
  await send('PUT', '/chunks/0', wavOf('before'))
  assert.equal((await send('PUT', '/chunks/1', Buffer.alloc(60_000, 'FORMxxxxAIFF'))).status, 201)
  await send('PUT', '/chunks/2', wavOf('after'))
  await send('POST', '/finish', { chunks: 3 })
  await untilStatus(portal, id, token, 'done')
  const { text } = await portal.owner.get(`/api/v2/conversations/${id}/transcript?format=txt`)
  assert.match(text, /before\n.*\[audio missing: unreadable\]\n.*after/)
})

test('a model server that asks for an hour of patience gets it, and none of the job’s tries is lost', async () => {
  const { id, send } = await newConversation(portal)
  await send('PUT', '/chunks/0', wavOf('!patience'))
  const { rows } = await until(
    () =>
      backend.database.pool.query(
        `select state, retry_count, extract(epoch from start_after - now())::integer as seconds
         from jobs.job where data->>'conversation_id' = $1 and data->>'put_off' = '1'`,
        [id],
      ),
    ({ rowCount }) => rowCount === 1,
  )
  assert.deepEqual([rows[0].state, rows[0].retry_count], ['created', 0])
  assert.ok(rows[0].seconds > 3_500 && rows[0].seconds <= 3_600, String(rows[0].seconds))
})

test('a decoder that is killed is tried again and again, and each time is counted, until the chunk is given up', async () => {
  const { id, send, token } = await newConversation(portal)
  await send('PUT', '/chunks/0', wavOf('!interrupted'))
  const { pool } = backend.database
  const putOff = async (times: number) =>
    until(
      () =>
        pool.query(
          `select id, retry_count from jobs.job
           where data->>'conversation_id' = $1 and data->>'interrupted' = $2 and state < 'active'`,
          [id, String(times)],
        ),
      ({ rowCount }) => rowCount === 1,
    )
  const [{ id: job, retry_count }] = (await putOff(1)).rows
  assert.equal(retry_count, 0)
  // As after four more.
  await pool.query(
    `update jobs.job set data = data || '{"interrupted": 5}', start_after = now() where id = $1`,
    [job],
  )
  await send('POST', '/finish')
  await untilStatus(portal, id, token, 'failed')
  const { rows } = await pool.query('select state, failure from chunks where conversation_id = $1', [id])
  assert.deepEqual(rows, [{ state: 'failed', failure: 'unreadable' }])
})

test('the language is the participant’s choice, else the project’s, else found out among those it offers', async () => {
  const wishes = async (project: object, start: object) => {
    const own = await newPortal(backend, { ...project, hotwords: ['Parley'] })
    const { id, send, token } = await newConversation(own, start)
    const before = transcriber.requests.length
    await send('PUT', '/chunks/0', wavOf('x'))
    await send('POST', '/finish')
    await untilStatus(own, id, token, 'done')
    return transcriber.requests[before]
  }
  const rest = { hotwords: ['Parley'], from: 0 }
  assert.deepEqual(await wishes({ language: 'de' }, {}), { language: 'de', candidates: ['de'], ...rest })
  assert.deepEqual(await wishes({ language: 'de', languages: ['pt'] }, { language: 'pt-BR' }), {
    language: 'pt',
    candidates: ['de', 'pt'],
    ...rest,
  })
  assert.deepEqual(await wishes({ language: 'de', languages: ['de-AT', 'nl'] }, {}), {
    language: null,
    candidates: ['de', 'nl'],
    ...rest,
  })
})

test('consent is asked for before anything begins, and kept with the text’s digest', async () => {
  const own = await newPortal(backend, { consent_text: 'We keep your voice for a year.' })
  const start = (body: object) => request(`${own.url}/conversations`, 'POST', body)
  for (const consent of [{}, { consent: false }])
    assert.deepEqual(
      [(await start(consent)).status, (await start(consent)).body.code],
      [422, 'consent_required'],
    )
  const { status, body } = await start({ consent: true })
  assert.equal(status, 201)
  const { rows } = await backend.database.pool.query('select consent from conversations where id = $1', [
    body.id,
  ])
  const digest = createHash('sha256').update('We keep your voice for a year.').digest('hex')
  assert.deepEqual([rows[0].consent.text_sha256, rows[0].consent.language], [digest, 'en'])
})

test('the text that was agreed to can be shown after the project’s has changed', async () => {
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
    assert.equal(createHash('sha256').update(body.consent.text).digest('hex'), body.consent.text_sha256)
    agreed.push(body.consent.text)
    const match = { 'if-match': String(headers.get('etag')) }
    const patched = await own.owner.send('PATCH', `/api/v2/conversations/${id}`, { title: 'T' }, match)
    assert.equal(patched.status, 200, 'what was read can be named')
  }
  assert.deepEqual(agreed, texts)
  const listed = await own.owner.get(`/api/v2/projects/${own.projectId}/conversations`)
  assert.ok(!listed.text.includes('without limit'), 'a list does not repeat them')
})

test('closing the project stops new conversations at once and lets running ones finish', async () => {
  const own = await newPortal(backend)
  const running = await newConversation(own)
  await own.owner.send('PATCH', `/api/v2/projects/${own.projectId}`, { is_open: false })
  const refused = await request(`${own.url}/conversations`, 'POST', {})
  assert.deepEqual([refused.status, refused.body.code], [403, 'closed'])
  assert.equal((await request(own.url, 'GET')).body.is_open, false)
  assert.equal((await running.send('PUT', '/chunks/0', wavOf('still here'))).status, 201)
  assert.equal((await running.send('POST', '/finish')).status, 202)
})

test('nothing goes without the token of that very conversation', async () => {
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

const bad: [
  why: string,
  method: string,
  path: string,
  body: unknown,
  status: number,
  code: string,
  headers?: Record<string, string>,
][] = [
  ['no bytes', 'PUT', '/chunks/0', Buffer.alloc(0), 422, 'invalid_input'],
  ['a page', 'PUT', '/chunks/0', Buffer.from('<!doctype html><html>'.repeat(20)), 415, 'unsupported_media'],
  [
    'another type',
    'PUT',
    '/chunks/0',
    wavOf('x'),
    415,
    'unsupported_media',
    { 'content-type': 'application/json' },
  ],
  ['nothing at all', 'PUT', '/chunks/0', undefined, 422, 'invalid_input'],
  ['26 MiB', 'PUT', '/chunks/0', Buffer.alloc(26 * 1024 * 1024), 413, 'too_large'],
  ['a number below 0', 'PUT', '/chunks/-1', wavOf('x'), 422, 'invalid_input'],
  ['a number without end', 'PUT', '/chunks/1000000000', wavOf('x'), 422, 'invalid_input'],
  ['no number', 'PUT', '/chunks/x', wavOf('x'), 422, 'invalid_input'],
  [
    'another digest',
    'PUT',
    '/chunks/0',
    wavOf('x'),
    422,
    'invalid_input',
    { 'content-digest': `sha-256=:${Buffer.alloc(32).toString('base64')}:` },
  ],
  ['no time', 'PUT', '/chunks/0', wavOf('x'), 422, 'invalid_input', { 'x-recorded-at': 'yesterday' }],
  [
    'a time in no calendar',
    'PUT',
    '/chunks/0',
    wavOf('x'),
    422,
    'invalid_input',
    { 'x-recorded-at': '0000-01-01T00:00:00Z' },
  ],
  ['no text', 'POST', '/text', { content: ' ' }, 422, 'invalid_input'],
  ['endless text', 'POST', '/text', { content: 'x'.repeat(100_001) }, 422, 'invalid_input'],
  ['an unknown field', 'POST', '/text', { content: 'x', more: 1 }, 422, 'invalid_input'],
  ['half a chunk', 'POST', '/finish', { chunks: 0.5 }, 422, 'invalid_input'],
]
for (const [why, method, path, body, status, code, headers] of bad) {
  test(`${method} ${path} with ${why} is ${status}, and nothing is kept`, async () => {
    const { id, send } = await newConversation(portal)
    const reply = await send(method, path, body, headers)
    assert.deepEqual([reply.status, reply.body.code], [status, code])
    const { rows } = await backend.database.pool.query(
      'select (select count(*) from chunks where conversation_id = $1) + (select count(*) from text_entries where conversation_id = $1) as kept',
      [id],
    )
    assert.equal(Number(rows[0].kept), 0)
  })
}

test('10,000 tags are refused; right-to-left and emoji names are welcome', async () => {
  const start = (body: object) => request(`${portal.url}/conversations`, 'POST', body)
  const tags = Array.from({ length: 10_000 }, (_, n) => `tag ${n}`)
  assert.equal((await start({ tags })).status, 422)
  assert.equal((await start({ participant_name: 'מרים 👩‍👩‍👧', tags: ['حديقة'] })).status, 201)
  assert.equal((await start({ participant_email: 'no address' })).status, 422)
})

test('an unknown project is 404, whatever is asked of it', async () => {
  for (const id of [randomUUID(), 'x']) {
    assert.equal((await request(`${backend.url}/api/participant/projects/${id}`, 'GET')).status, 404)
    assert.equal(
      (await request(`${backend.url}/api/participant/projects/${id}/conversations`, 'POST', {})).status,
      404,
    )
  }
})
