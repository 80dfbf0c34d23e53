import assert from 'node:assert/strict'
import { test } from 'node:test'
import { request } from '../../../test/support/backend.ts'
import { newConversation, newPortal, type Portal, untilStatus } from '../../../test/support/conversations.ts'
import { scriptedEngines, wavOf } from '../../../test/support/engines.ts'
import { tusClient } from '../../../test/support/uploads.ts'
import { assertRefused } from '../../../test/support/webhooks.ts'
import { backend, query, recorded, setUp } from '../testing/setup.ts'

const engines = scriptedEngines()
const { transcriber } = engines
setUp({ engines })

const start = ({ url }: Portal, language: string | null) =>
  request(`${url}/conversations`, 'POST', { language })
const upload = ({ projectId, owner }: Portal) =>
  tusClient(backend.url, `/api/v2/projects/${projectId}/uploads`, { authorization: `Bearer ${owner.token}` })

test('a participant can choose a language that the project offers, and no other', async () => {
  const portal = await newPortal(backend, { language: 'de', languages: ['pt-BR', 'nl'] })
  for (const language of ['de', 'nl', 'pt-BR', 'pt', 'de-CH', null])
    assert.equal((await start(portal, language)).status, 201, String(language))
  for (const language of ['en', 'fr-CA', 'xx']) assertRefused(await start(portal, language), 'language')
})

test('a project without a list of languages offers one language', async () => {
  const portal = await newPortal(backend, { language: 'nl' })
  assert.equal((await start(portal, 'nl-BE')).status, 201)
  assertRefused(await start(portal, 'en'), 'language')
})

test('a new project detects the language of each conversation, and participants can choose any', async () => {
  const portal = await newPortal(backend)
  assert.equal((await portal.owner.get(`/api/v2/projects/${portal.projectId}`)).body.language, 'auto')
  assert.equal((await request(portal.url, 'GET')).body.language, 'auto')
  const before = transcriber.requests.length
  const { id } = await recorded('Banken', { of: portal })
  const { language, candidates } = transcriber.requests[before] ?? {}
  assert.deepEqual([language, candidates], [null, []])
  // The scripted engine detects English.
  assert.equal((await portal.owner.get(`/api/v2/conversations/${id}`)).body.language, 'en')
  const { data } = (await portal.owner.get(`/api/v2/conversations/${id}/segments`)).body
  assert.equal(data[0].language, 'en')
  assert.equal((await start(portal, 'tr')).status, 201)
  assertRefused(await start(portal, 'xx'), 'language')
  assertRefused(await start(portal, 'auto'), 'language')
  const limited = await newPortal(backend, { language: 'auto', languages: ['nl', 'de'] })
  assert.equal((await start(limited, 'de')).status, 201)
  assertRefused(await start(limited, 'tr'), 'language')
  await recorded('Banken', { of: limited })
  assert.deepEqual(transcriber.requests.at(-1)?.candidates, ['nl', 'de'])
})

test('a report on a project that detects languages is in the language of most conversations', async () => {
  const portal = await newPortal(backend)
  for (const language of ['nl', 'de', 'nl']) await start(portal, language)
  const { body } = await portal.owner.post(`/api/v2/projects/${portal.projectId}/reports`, {})
  assert.equal((await portal.owner.get(`/api/v2/reports/${body.id}`)).body.language, 'nl')
})

test('a conversation keeps a language that the project no longer offers', async () => {
  const portal = await newPortal(backend, { language: 'de', languages: ['nl'] })
  const { id, token, send } = await newConversation(portal, { language: 'nl' })
  await portal.owner.send('PATCH', `/api/v2/projects/${portal.projectId}`, { languages: [] })
  assertRefused(await start(portal, 'nl'), 'language')
  await send('PUT', '/chunks/0', wavOf('Banken'))
  await send('POST', '/finish')
  await untilStatus(portal, id, token, 'done')
  assert.equal((await portal.owner.get(`/api/v2/conversations/${id}`)).body.language, 'nl')
})

test('a host can upload in a language that the project offers, and in no other', async () => {
  const portal = await newPortal(backend, { language: 'de', languages: ['nl'] })
  assertRefused(await upload(portal).begin(10, { language: 'en' }), 'language')
  assert.equal((await upload(portal).begin(10, { language: 'nl' })).status, 201)
})

test('transcribing again uses the language that a host has corrected', async () => {
  const portal = await newPortal(backend, { language: 'de' })
  const { id, token } = await recorded('Banken', { of: portal })
  const path = `/api/v2/conversations/${id}`
  assert.equal((await portal.owner.get(path)).body.language, 'de')

  const changed = await portal.owner.send('PATCH', path, { language: 'tr' })
  assert.deepEqual([changed.status, changed.body.language], [200, 'tr'], changed.text)
  assert.equal((await portal.owner.get(path)).body.language, 'tr')
  const before = transcriber.requests.length
  assert.equal((await portal.owner.post(`${path}/retranscribe`)).status, 202)
  await untilStatus(portal, id, token, 'done')
  assert.deepEqual(
    transcriber.requests.slice(before).map(({ language }) => language),
    ['tr'],
  )
  const { body } = await portal.owner.get(path)
  assert.deepEqual([body.language, body.revision], ['tr', 2])
  const rows = await query(
    `select details from audit_log where target_id = $1 and action = 'conversation.update'`,
    [id],
  )
  assert.deepEqual(rows, [{ details: { changed: ['language'] } }])
})

test('with language null, transcribing again detects the language', async () => {
  const portal = await newPortal(backend, { language: 'de', languages: ['nl'] })
  const { id, token } = await recorded('Bänke', { of: portal, start: { language: 'nl' } })
  const path = `/api/v2/conversations/${id}`
  assert.equal((await portal.owner.send('PATCH', path, { language: null })).body.language, null)
  const before = transcriber.requests.length
  await portal.owner.post(`${path}/retranscribe`)
  await untilStatus(portal, id, token, 'done')
  assert.equal(transcriber.requests[before]?.language, null)
  // The scripted engine detects English.
  assert.equal((await portal.owner.get(path)).body.language, 'en')
})

test('a conversation that failed for its language succeeds after the correction', async () => {
  const portal = await newPortal(backend, { language: 'de' })
  const said = '!unsupported_language unless nl'
  const { id, token } = await recorded(said, { of: portal, status: 'failed' })
  const path = `/api/v2/conversations/${id}`
  await portal.owner.send('PATCH', path, { language: 'nl' })
  await portal.owner.post(`${path}/retranscribe`)
  await untilStatus(portal, id, token, 'done')
  const { body } = await portal.owner.get(path)
  assert.deepEqual([body.language, body.failure], ['nl', null])
})

for (const language of ['xx', 'klingon', 'EN', '', 'en_GB', 7])
  test(`a host can’t correct the language to ${JSON.stringify(language)}`, async () => {
    const portal = await newPortal(backend)
    const { id } = await newConversation(portal)
    assertRefused(await portal.owner.send('PATCH', `/api/v2/conversations/${id}`, { language }), 'language')
  })

test('typed text has its language, and so does a report on it', async () => {
  const portal = await newPortal(backend)
  const typed = async (content: string, start: object = {}): Promise<string | null> => {
    const { id, token, send } = await newConversation(portal, start)
    await send('POST', '/text', { content })
    await send('POST', '/finish')
    await untilStatus(portal, id, token, 'done')
    const [{ payload }] = await query(
      `select convert_from(full_body, 'utf8')::jsonb as payload from events
        where subject_id = $1 and type = 'conversation.transcribed'`,
      [id],
    )
    const { language } = (await portal.owner.get(`/api/v2/conversations/${id}`)).body
    assert.equal(payload.data.conversation.language, language)
    return language
  }
  const dutch = 'We willen meer banken in het park, want oude mensen kunnen niet ver lopen.'
  assert.equal(await typed(dutch), 'nl')
  assert.equal(await typed(dutch, { language: 'de' }), 'de')
  assert.equal(await typed('Banken!'), null)
  assert.equal(await typed('De speeltuin is te donker en er zijn geen banken.'), 'nl')
  const { body } = await portal.owner.post(`/api/v2/projects/${portal.projectId}/reports`, {})
  assert.equal((await portal.owner.get(`/api/v2/reports/${body.id}`)).body.language, 'nl')
})
