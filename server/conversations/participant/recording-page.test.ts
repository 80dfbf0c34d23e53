import assert from 'node:assert/strict'
import { test } from 'node:test'
import { request } from '../../../test/support/backend.ts'
import { newConversation, newPortal } from '../../../test/support/conversations.ts'
import { scriptedEngines, wavOf } from '../../../test/support/engines.ts'
import { until } from '../../../test/support/webhooks.ts'
import { backend, portal, query, recorded, setUp, untilErased } from '../testing/setup.ts'

setUp({ engines: scriptedEngines() })

const CODE = /^[2-9A-HJKMNP-TV-Z]{4}-[2-9A-HJKMNP-TV-Z]{4}$/

test('the portal shows who asks, the colours, and the links', async () => {
  const { owner, url, projectId, organisationId } = await newPortal(backend, { accent_color: '#003366' })
  await owner.send('PATCH', `/api/v2/organisations/${organisationId}`, { name: 'City of Riverside' })
  const { body, headers } = await request(url, 'GET')
  assert.equal(body.organisation, 'City of Riverside')
  assert.equal(body.accent_color, '#003366')
  assert.deepEqual(body.accent_colors.light, { fill: '#003366', text: '#ffffff' })
  assert.notEqual(body.accent_colors.dark.fill, '#003366')
  assert.equal(body.logo_url, null)
  assert.equal(body.recording_url, `http://parley.test/p/${projectId}`)
  assert.match(body.short_url, /^http:\/\/parley\.test\/s\/[2-9a-hjkmnp-tv-z]{8}$/)
  for (const hidden of ['workspace_id', 'organisation_id', 'hotwords', 'short_code', 'logo', 'deleted_at'])
    assert.ok(!(hidden in body), hidden)

  const record = (await owner.get(`/api/v2/projects/${projectId}`)).body
  assert.deepEqual([record.short_url, record.recording_url], [body.short_url, body.recording_url])
  const again = await request(url, 'GET', undefined, { 'if-none-match': headers.get('etag') ?? '' })
  assert.equal(again.status, 304)
  await owner.send('PATCH', `/api/v2/projects/${projectId}`, { accent_color: null })
  const plain = (await request(url, 'GET')).body
  assert.deepEqual([plain.accent_color, plain.accent_colors], [null, null])
})

test('text of hosts and of strangers is returned as it was written', async () => {
  const hostile = '<img src=x onerror=alert(1)>"\'&amp;{{7*7}}'
  const { owner, url, projectId, organisationId } = await newPortal(backend, {
    title: hostile,
    description: hostile,
  })
  await owner.send('PATCH', `/api/v2/organisations/${organisationId}`, { name: hostile })
  const read = await request(url, 'GET')
  assert.deepEqual(
    [read.body.title, read.body.description, read.body.organisation],
    [hostile, hostile, hostile],
  )
  assert.match(read.headers.get('content-type') ?? '', /^application\/json/)
  assert.equal(read.headers.get('x-content-type-options'), 'nosniff')
  const started = await request(`${url}/conversations`, 'POST', {
    participant_name: hostile,
    tags: [hostile],
  })
  const listed = (await owner.get(`/api/v2/projects/${projectId}/conversations`)).body.data[0]
  assert.deepEqual([listed.id, listed.participant_name, listed.tags], [started.body.id, hostile, [hostile]])
})

test('a conversation has a code that participants and hosts see', async () => {
  const started = await request(`${portal.url}/conversations`, 'POST', {})
  const { id, code, token } = started.body
  assert.match(code, CODE)
  const progress = await request(`${backend.url}/api/participant/conversations/${id}`, 'GET', undefined, {
    'x-participant-token': token,
  })
  assert.equal(progress.body.code, code)
  assert.equal((await portal.owner.get(`/api/v2/conversations/${id}`)).body.code, code)

  const list = `/api/v2/projects/${portal.projectId}/conversations`
  for (const typed of [code, code.toLowerCase(), code.replace('-', ''), code.replace('-', ' ')])
    for (const filter of ['code', 'q']) {
      const found = await portal.owner.get(`${list}?${filter}=${encodeURIComponent(typed)}`)
      assert.deepEqual(
        found.body.data.map((one: { id: string }) => one.id),
        [id],
        `${filter}=${typed}`,
      )
    }
  assert.deepEqual((await portal.owner.get(`${list}?code=22222222`)).body.data, [])
  const refused = await portal.owner.get(`${list}?code=hello`)
  assert.deepEqual([refused.status, refused.body.errors[0].path], [422, 'code'])

  // Neither a path nor a token.
  const byCode = await request(`${backend.url}/api/participant/conversations/${code}`, 'GET', undefined, {
    'x-participant-token': code,
  })
  assert.equal(byCode.status, 404)
  const byId = await request(`${backend.url}/api/participant/conversations/${id}`, 'GET', undefined, {
    'x-participant-token': code,
  })
  assert.equal(byId.status, 403)
  const elsewhere = await newPortal(backend)
  const other = await elsewhere.owner.get(
    `/api/v2/projects/${elsewhere.projectId}/conversations?code=${code}`,
  )
  assert.deepEqual(other.body.data, [])
})

test('the code is gone with the erasure', async () => {
  const { id, send } = await newConversation(portal)
  const [{ code }] = await query('select code from conversations where id = $1', [id])
  assert.equal((await send('DELETE', '')).status, 204)
  assert.deepEqual(
    (await portal.owner.get(`/api/v2/projects/${portal.projectId}/conversations?code=${code}`)).body.data,
    [],
  )
  await untilErased(id)
  assert.deepEqual(await query('select code from conversations where id = $1', [id]), [{ code: null }])
})

test('codes are distinct within a project', async () => {
  const { projectId } = await newPortal(backend)
  await query(
    `insert into conversations (id, project_id, status, source)
     select gen_random_uuid(), $1, 'recording', 'upload' from generate_series(1, 2000)`,
    [projectId],
  )
  const rows = await query(
    'select count(distinct code)::int as count from conversations where project_id = $1',
    [projectId],
  )
  assert.deepEqual(rows, [{ count: 2000 }])
  await assert.rejects(
    query(
      `insert into conversations (id, project_id, status, source, code)
       select gen_random_uuid(), project_id, status, source, code from conversations where project_id = $1 limit 1`,
      [projectId],
    ),
    /conversations_by_code/,
  )
})

test('the end of the transcript can be read alone', async () => {
  const { send } = await recorded(['The park needs benches', 'And light at night'])
  const whole = (await send('GET', '')).body
  assert.deepEqual(
    [whole.transcript_so_far, whole.transcript_truncated],
    ['The park needs benches\nAnd light at night', false],
  )
  const end = (await send('GET', '?tail=12')).body
  assert.deepEqual([end.transcript_so_far, end.transcript_truncated], ['at night', true])
  const all = (await send('GET', '?tail=10000')).body
  assert.deepEqual(all, whole)
  for (const tail of ['0', '10001', '-1', '1.5', 'all', ''])
    assert.equal((await send('GET', `?tail=${tail}`)).status, 422, tail)
})

test('a recording in progress can be finished after its project was closed', async () => {
  const closing = await newPortal(backend)
  const { send } = await newConversation(closing)
  assert.equal((await send('PUT', '/chunks/0', wavOf('before the end'))).status, 201)
  await closing.owner.send('PATCH', `/api/v2/projects/${closing.projectId}`, { is_open: false })

  assert.equal((await send('PUT', '/chunks/1', wavOf('after the end'))).status, 201)
  assert.equal((await send('POST', '/text', { content: 'and a last word' })).status, 201)
  assert.equal((await send('POST', '/heartbeat')).status, 204)
  assert.equal((await send('POST', '/finish', { chunks: 2 })).status, 202)
  const done = await until(
    () => send('GET', ''),
    ({ body }) => body.status === 'done',
  )
  assert.match(done.body.transcript_so_far, /before the end\n(.*\n)*after the end/)
  assert.match(done.body.transcript_so_far, /and a last word/)

  const refused = await request(`${closing.url}/conversations`, 'POST', {})
  assert.deepEqual([refused.status, refused.body.code], [403, 'closed'])
  assert.match(refused.body.detail, /Ask the organisation/)
  assert.equal((await request(closing.url, 'GET')).body.is_open, false)
})
