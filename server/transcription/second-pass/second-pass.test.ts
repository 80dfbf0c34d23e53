import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { createLog } from '../../../platform/log.ts'
import { newConversation, untilStatus } from '../../../test/support/conversations.ts'
import { findWord } from '../../../test/support/database/dump.ts'
import { scriptedSummarizer } from '../../../test/support/engines.ts'
import { until } from '../../../test/support/webhooks.ts'
import { lengthOf, recordClock, speak, wordClock } from '../../../test/support/word-clock.ts'
import {
  backend,
  jobOf,
  lifecycle,
  portal,
  query,
  recorded,
  setUp,
  untilErased,
} from '../../conversations/testing/setup.ts'
import { EngineFailure } from '../../engines/engine-failure.ts'
import type { Segment } from '../transcriber.ts'
import type { PassOutcome } from './end-pass.ts'
import { runSecondPass } from './run-second-pass.ts'
import { misheard, twoModels, wellHeard } from './testing/two-models.ts'

/** Longer than two parts of a second pass. */
const breaths = speak([3, 1, 12, 2, 7, 40, 1, 1, 5, 20, 4, 9, 2, 30, 6])
const LENGTH = lengthOf(breaths)
const words = breaths.flat().map(({ text }) => text)
const engine = twoModels(breaths)
const logged: Record<string, unknown>[] = []
const log = createLog('warn', { write: (line) => void logged.push(JSON.parse(line)) })
setUp({ log, engines: { transcriber: engine, summarizer: scriptedSummarizer() } })

beforeEach(() => {
  engine.requests = []
  engine.better = wellHeard
})

const whole = () => recorded([recordClock(0, LENGTH)])
const inChunks = (ms: number, isOneFile = false): Buffer[] =>
  Array.from({ length: Math.ceil(LENGTH / ms) }, (_, n) =>
    recordClock(ms * n, Math.min(ms * (n + 1), LENGTH), n === 0 || !isOneFile),
  )

const record = async (id: string) => (await portal.owner.get(`/api/v2/conversations/${id}`)).body
const wordsOf = async (id: string): Promise<string[]> => {
  const { body } = await portal.owner.get(`/api/v2/conversations/${id}/transcript?format=json`)
  return body.entries.flatMap(({ text }: { text: string }) => text.split(' '))
}
const revised = (id: string, revision = 2) =>
  until(
    () => record(id),
    (body) => body.revision === revision && body.status === 'done',
  )
const eventsOf = async (id: string): Promise<[string, number][]> => {
  const rows = await query(
    `select type, (convert_from(full_body, 'UTF8')::json -> 'data' -> 'conversation' ->> 'revision')::integer as revision
     from events where subject_id = $1 order by id`,
    [id],
  )
  return rows.map(({ type, revision }) => [type.replace('conversation.', ''), revision])
}
const passesOf = (id: string) => query('select * from second_passes where conversation_id = $1', [id])
const passEnded = (id: string) =>
  until(
    () => query('select second_pass from conversations where id = $1', [id]),
    ([row]) => row.second_pass === 'done',
  )

async function outcomes(): Promise<Partial<Record<PassOutcome, number>>> {
  const text = await backend.metrics.registry.metrics()
  const lines = text.matchAll(/^parley_second_passes_total\{outcome="(\w+)"\} (\d+)$/gm)
  return Object.fromEntries([...lines].map(([, outcome, count]) => [outcome, Number(count)]))
}

const WAYS: [name: string, chunks: () => Buffer[]][] = [
  ['one file', () => [recordClock(0, LENGTH)]],
  ['chunks of 7 s, separate files', () => inChunks(7_000)],
  ['chunks of 2 s, parts of one file', () => inChunks(2_000, true)],
]
for (const [name, chunks] of WAYS)
  test(`${name}: the better model's text replaces the first as one revision, every word once and at its time`, async () => {
    const { id } = await recorded(chunks())
    const conversation = await revised(id)
    assert.deepEqual(await wordsOf(id), words)
    const { body } = await portal.owner.get(`/api/v2/conversations/${id}/segments`)
    assert.deepEqual(
      body.data.map(({ start_ms, end_ms }: { start_ms: number; end_ms: number }) => [start_ms, end_ms]),
      breaths.map((breath) => [breath[0]?.start, breath.at(-1)?.end]),
    )
    assert.equal(conversation.transcript_model, 'thorough')
    assert.ok(conversation.summary.includes(words[0]) && !conversation.summary.includes('mis'))
    const both = ['transcribed', 'summarized']
    assert.deepEqual(await eventsOf(id), [
      ['started', 1],
      ...both.map((type) => [type, 1]),
      ...both.map((type) => [type, 2]),
    ])
    const parts = engine.requests.filter(({ quality }) => quality === 'best')
    assert.ok(parts.length >= 3 && parts.every(({ start, end }) => end - start <= 30_000))
    assert.deepEqual(
      [parts[0]?.start, ...parts.slice(1).map(({ start }) => start), LENGTH],
      [0, ...parts.map(({ end }) => end)],
    )
    assert.deepEqual(await passesOf(id), [])
  })

test('search and removed segments follow the second pass', async () => {
  const { id } = await whole()
  const [first] = await query('select id from segments where conversation_id = $1 order by position', [id])
  await revised(id)
  const search = async (q: string): Promise<string[]> => {
    const { body } = await portal.owner.get(
      `/api/v2/projects/${portal.projectId}/conversations?limit=200&q=${q}`,
    )
    return body.data.map((one: { id: string }) => one.id)
  }
  assert.ok((await search(words[0] as string)).includes(id))
  assert.ok(!(await search(`mis${words[0]}`)).includes(id))
  const removed = await query('select id from removed_segments where conversation_id = $1', [id])
  assert.ok(removed.some((one) => one.id === first.id))
})

test('corrections and names stay, and a new summary begins no other pass', async () => {
  const release = engine.hold()
  const { id, token } = await whole()
  const { data } = (await portal.owner.get(`/api/v2/conversations/${id}/segments`)).body
  const path = `/api/v2/conversations/${id}/segments/${data[2].id}`
  assert.equal((await portal.owner.send('PATCH', path, { text: 'As the host wrote it' })).status, 200)
  release()
  await revised(id)
  const after = (await portal.owner.get(`/api/v2/conversations/${id}/segments`)).body.data
  const corrected = breaths[2]?.map(({ text }) => text).join(' ')
  assert.deepEqual(
    [after[2].id, after[2].text, after[2].original_text],
    [data[2].id, 'As the host wrote it', corrected],
  )
  assert.equal(after.length, breaths.length)
  await portal.owner.post(`/api/v2/conversations/${id}/summarize`)
  await revised(id, 3)
  await untilStatus(portal, id, token, 'done')
  assert.deepEqual(await passesOf(id), [])
})

const SAME: [name: string, text: (segment: Segment) => Segment[]][] = [
  [
    'the same words',
    (segment) => [{ ...misheard(segment), text: `${misheard(segment).text.toUpperCase()}.` }],
  ],
  ['nothing where the fast model was sure', () => []],
  ['unsure words where the fast model was sure', (segment) => [{ ...segment, confidence: 0.3 }]],
]
for (const [name, text] of SAME)
  test(`no revision and no event if the better model finds ${name}`, async () => {
    engine.better = text
    const { kept = 0 } = await outcomes()
    const { id } = await whole()
    await passEnded(id)
    const { revision, status, transcript_model } = await record(id)
    assert.deepEqual([revision, status, transcript_model], [1, 'done', 'quick'])
    assert.equal((await wordsOf(id))[0], `mis${words[0]}`)
    assert.equal((await eventsOf(id)).length, 3)
    assert.equal((await outcomes()).kept, kept + 1)
  })

test('keeps the first text where the better model loses a phrase, and replaces the rest', async () => {
  const lost = breaths[5]?.[0]?.text as string
  engine.better = (segment) => (segment.text.startsWith(lost) ? [] : [{ ...segment, confidence: 0.9 }])
  const { id } = await whole()
  await revised(id)
  assert.deepEqual(
    await wordsOf(id),
    words.map((word) => (word === lost ? `mis${lost}` : word)),
  )
})

test('a second pass that fails leaves the first text, and marks nothing as failed', async () => {
  engine.better = () => {
    throw new EngineFailure('unreadable', 'requested by the test')
  }
  const { id } = await whole()
  await passEnded(id)
  const { revision, status, failure } = await record(id)
  assert.deepEqual([revision, status, failure], [1, 'done', null])
  assert.equal((await wordsOf(id)).length, words.length)
  assert.deepEqual(await passesOf(id), [])
  assert.equal((await outcomes()).failed, 1)
  const line = logged.find(
    ({ msg }) => msg === 'Second pass of a conversation failed; its first transcript stays',
  )
  assert.equal(line?.['code'], 'unreadable')
})

/** Waits until a request to the better model is held. */
const untilHeld = (count = 1) =>
  until(
    async () => engine.passed,
    (held) => held >= count,
  )

test('gives way to live audio between its parts', async () => {
  const release = engine.hold()
  const { id } = await whole()
  await untilHeld()
  const live = await newConversation(portal)
  await live.send('PUT', '/chunks/0', recordClock(0, 5_000))
  release()
  await revised(id)
  assert.deepEqual(engine.requests.map(({ quality }) => quality).slice(0, 5), [
    'fast',
    'best',
    'fast',
    'best',
    'best',
  ])
})

test('begins again when audio arrives late', async () => {
  const release = engine.hold()
  const [first, second] = [recordClock(0, 20_000), recordClock(20_000, LENGTH)]
  const { id, token, send } = await recorded([first])
  await untilHeld()
  const { dropped = 0 } = await outcomes()
  await send('PUT', '/chunks/1', second)
  await untilStatus(portal, id, token, 'transcribing')
  release()
  await revised(id, 3)
  assert.deepEqual(await wordsOf(id), words)
  assert.deepEqual(
    (await eventsOf(id)).map(([, revision]) => revision),
    [1, 1, 1, 2, 2, 3, 3],
  )
  assert.equal((await outcomes()).dropped, dropped + 1)
})

test('begins again when a host transcribes the conversation again', async () => {
  const release = engine.hold()
  const { id } = await whole()
  await untilHeld()
  const [before] = await passesOf(id)
  await portal.owner.post(`/api/v2/conversations/${id}/retranscribe`)
  release()
  await revised(id, 3)
  assert.deepEqual(await wordsOf(id), words)
  assert.ok(before)
})

test('an erased conversation leaves nothing of its second pass', async () => {
  const canary = 'zanzibarcanary'
  engine.better = (segment) => [{ ...segment, text: `${canary} ${segment.text}`, confidence: 0.9 }]
  const releaseFirst = engine.hold()
  const { id } = await whole()
  await untilHeld()
  const release = engine.hold()
  releaseFirst()
  // The first part is stored, the second one runs.
  await untilHeld(2)
  assert.ok((await findWord(canary, backend.database.pool, backend.filesFolder)).length > 0)
  await portal.owner.send('DELETE', `/api/v2/conversations/${id}`)
  await untilErased(id)
  release()
  await until(
    () => query(`select from jobs.job where data ->> 'conversation_id' = $1 and state < 'completed'`, [id]),
    ({ length }) => length === 0,
  )
  assert.deepEqual(await findWord(canary, backend.database.pool, backend.filesFolder), [])
})

test('two jobs of the same part store it once', async () => {
  const release = engine.hold()
  const { id } = await whole()
  await untilHeld()
  const [pass] = await passesOf(id)
  const { database, files } = backend
  const parts = { ...lifecycle(), db: database.db, files, log, transcriber: engine, onSecondPass: () => {} }
  const job = jobOf({ conversation_id: id, pass_id: pass.id })
  const other = runSecondPass(parts, job)
  await untilHeld(2)
  release()
  await other
  await revised(id)
  assert.deepEqual(await wordsOf(id), words)
  assert.equal((await eventsOf(id)).length, 5)
})

test('a pass whose job was lost is resumed', async () => {
  engine.better = (segment) => [misheard(segment)]
  const { id } = await whole()
  await passEnded(id)
  engine.better = wellHeard
  await query(`update conversations set second_pass = 'waiting' where id = $1`, [id])
  await query(
    `insert into second_passes (conversation_id, advanced_at) values ($1, now() - interval '2 hours')`,
    [id],
  )
  assert.equal(await backend.runTask('stalled-second-passes'), 1)
  await revised(id)
  assert.deepEqual(await wordsOf(id), words)
})

test('no second pass if the better model is no longer configured', async () => {
  const release = engine.hold()
  const { id } = await whole()
  await untilHeld()
  const [pass] = await passesOf(id)
  const { database, files } = backend
  const ended: PassOutcome[] = []
  const parts = { ...lifecycle(), db: database.db, files, log, transcriber: wordClock(breaths) }
  const job = jobOf({ conversation_id: id, pass_id: pass.id })
  await runSecondPass({ ...parts, onSecondPass: (outcome) => void ended.push(outcome) }, job)
  release()
  assert.deepEqual(ended, ['dropped'])
  assert.equal((await record(id)).revision, 1)
})
