import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newUser, type Reply } from '../../../test/support/backend.ts'
import { untilStatus } from '../../../test/support/conversations.ts'
import { findWord } from '../../../test/support/database/dump.ts'
import { scriptedEngines } from '../../../test/support/engines.ts'
import { openStream } from '../../../test/support/servers/event-stream.ts'
import { until } from '../../../test/support/webhooks.ts'
import type { Segment } from '../../transcription/transcriber.ts'
import { backend, portal, query, recorded, setUp, untilErased } from '../testing/setup.ts'

const engines = scriptedEngines()
/** Changes the segments of the next transcriptions, as another model does. */
let asAnotherModel = (segments: Segment[]): Segment[] => segments
/** Waited for by each transcription. */
let mayTranscribe: (seq: number) => Promise<void> = async () => {}
let transcribed = 0
const transcribe = engines.transcriber.transcribe
engines.transcriber.transcribe = async (request) => {
  await mayTranscribe(transcribed++)
  const transcription = await transcribe(request)
  return { ...transcription, segments: asAnotherModel(transcription.segments) }
}

setUp({ engines })

const streamOf = (query: string, lastEventId?: string) =>
  openStream(
    `${backend.url}/api/v2/projects/${portal.projectId}/stream${query}`,
    portal.owner.token,
    lastEventId === undefined ? {} : { 'last-event-id': lastEventId },
  )

const pathOf = (id: string) => `/api/v2/conversations/${id}`
const segmentsOf = async (id: string): Promise<Reply['body'][]> =>
  (await portal.owner.get(`${pathOf(id)}/segments`)).body.data
const textsOf = async (id: string): Promise<string[]> => (await segmentsOf(id)).map(({ text }) => text)
const transcriptOf = async (id: string, format = 'txt'): Promise<string> =>
  (await portal.owner.get(`${pathOf(id)}/transcript?format=${format}`)).text
const correct = (id: string, segmentId: string, text: string | null, headers = {}) =>
  portal.owner.send('PATCH', `${pathOf(id)}/segments/${segmentId}`, { text }, headers)
const found = async (q: string): Promise<string[]> => {
  const { body } = await portal.owner.get(`/api/v2/projects/${portal.projectId}/conversations?q=${q}`)
  return body.data.map(({ id }: { id: string }) => id)
}

async function repeat(id: string, token: string, verb: 'retranscribe' | 'summarize'): Promise<void> {
  const { body } = await portal.owner.post(`${pathOf(id)}/${verb}`)
  await untilStatus(portal, id, token, 'done')
  const { body: now } = await portal.owner.get(pathOf(id))
  assert.equal(now.revision, body.revision)
}

test('lists segments in the order of time, page by page', async () => {
  const { id } = await recorded(['One\nTwo', 'Three\n@{"confidence": 0.4, "language": "de"} Vier'])
  const all = await segmentsOf(id)
  assert.deepEqual(
    all.map(({ start_ms, text }) => [start_ms, text]),
    [
      [0, 'One'],
      [500, 'Two'],
      [1_000, 'Three'],
      [1_500, 'Vier'],
    ],
  )
  assert.deepEqual(all[3], {
    id: all[3].id,
    start_ms: 1_500,
    end_ms: 2_000,
    text: 'Vier',
    original_text: null,
    speaker: null,
    language: 'de',
    confidence: 0.4,
    unclear: true,
    edited_by: null,
    edited_at: null,
    etag: all[3].etag,
  })
  const first = await portal.owner.get(`${pathOf(id)}/segments?limit=3`)
  const second = await portal.owner.get(`${pathOf(id)}/segments?limit=3&cursor=${first.body.next_cursor}`)
  assert.deepEqual([...first.body.data, ...second.body.data], all)
  assert.equal(second.body.next_cursor, null)
  assert.equal((await portal.owner.get(`${pathOf(id)}/segments?cursor=abc`)).status, 422)
})

test('the confidence of each word is exported with its time in the conversation, until the text is corrected', async () => {
  const words = [{ text: 'Hi', start: 0.1, end: 0.4, confidence: 0.3456 }]
  const { id } = await recorded(['First', `@${JSON.stringify({ confidence: 0.9, words })} Hi`])
  const entryOf = async () => JSON.parse(await transcriptOf(id, 'json')).entries[1]
  assert.deepEqual((await entryOf()).words, [
    { text: 'Hi', start_ms: 1_100, end_ms: 1_400, confidence: 0.346 },
  ])
  const [, segment] = await segmentsOf(id)
  await correct(id, segment.id, 'Hello')
  assert.equal((await entryOf()).words, undefined)
})

test('a correction shows in the transcript, the search, the next summary and the export, and can be restored', async () => {
  const { id, token } = await recorded('Light\nWe need moor benches')
  const [, wrong] = await segmentsOf(id)
  const reply = await correct(id, wrong.id, ' We need more benches ')
  assert.equal(reply.status, 200)
  const { text, original_text, edited_by, edited_at } = reply.body
  assert.deepEqual([text, original_text], ['We need more benches', 'We need moor benches'])
  assert.ok(edited_by && edited_at)
  for (const format of ['txt', 'md', 'vtt', 'srt'])
    assert.doesNotMatch(await transcriptOf(id, format), /moor/, format)
  const [, entry] = JSON.parse(await transcriptOf(id, 'json')).entries
  assert.deepEqual([entry.text, entry.original_text], ['We need more benches', 'We need moor benches'])
  assert.deepEqual(await found('more'), [id])
  await repeat(id, token, 'summarize')
  assert.deepEqual(await found('moor'), [])
  const { body } = await portal.owner.get(pathOf(id))
  assert.match(body.summary, /more benches/)
  assert.deepEqual(body.summary_details.points[1].segments, [wrong.id])
  const restored = await correct(id, wrong.id, null)
  assert.deepEqual(restored.body, wrong)
  assert.match(await transcriptOf(id), /moor/)
  const actions = await query(
    `select action, details from audit_log where target_id = $1 and action like 'segment.%' order by id`,
    [id],
  )
  assert.deepEqual(
    actions.map(({ action, details }) => [action, details]),
    [
      ['segment.update', { segment_id: wrong.id }],
      ['segment.restore', { segment_id: wrong.id }],
    ],
  )
})

test('an empty correction removes an invented segment from the transcript, not from the list', async () => {
  const { id } = await recorded('Benches\nThank you for watching')
  const [, invented] = await segmentsOf(id)
  assert.equal((await correct(id, invented.id, '')).status, 200)
  assert.doesNotMatch(await transcriptOf(id), /watching/)
  assert.deepEqual(await textsOf(id), ['Benches', ''])
})

test('rejects a correction of an older state, of an unknown segment, and without the capability', async () => {
  const [one, other] = [await recorded('Benches'), await recorded('Trees')]
  const [segment] = await segmentsOf(one.id)
  const { headers } = await portal.owner.get(`${pathOf(one.id)}/segments/${segment.id}`)
  const etag = { 'if-match': String(headers.get('etag')) }
  const changed = await correct(one.id, segment.id, 'Banks', etag)
  assert.deepEqual([changed.status, (await correct(one.id, segment.id, 'Tanks', etag)).status], [200, 412])
  const again = { 'if-match': String(changed.headers.get('etag')) }
  assert.equal((await correct(one.id, segment.id, 'Tanks', again)).status, 200)
  const listed = (await segmentsOf(one.id))[0].etag
  const [entry] = JSON.parse(await transcriptOf(one.id, 'json')).entries
  assert.equal(entry.etag, listed)
  for (const [ifMatch, status] of [
    [segment.etag, 412],
    [listed, 200],
    [listed, 412],
  ])
    assert.equal(
      (await correct(one.id, segment.id, 'Banks', { 'if-match': ifMatch })).status,
      status,
      'an etag of a list',
    )
  for (const path of [segment.id, newUser(), 'none'])
    assert.equal((await correct(other.id, path, 'x')).status, 404)
  assert.equal((await portal.owner.send('PATCH', `${pathOf(one.id)}/segments/${segment.id}`, {})).status, 200)
  for (const body of [{ text: 4 }, { texts: 'x' }, { text: 'a\0b' }, { text: 'x'.repeat(10_001) }])
    assert.equal(
      (await portal.owner.send('PATCH', `${pathOf(one.id)}/segments/${segment.id}`, body)).status,
      422,
    )
  const observer = newUser()
  const asObserver = await backend.as(observer)
  const member = { user_id: observer, role: 'observer' }
  assert.equal(
    (await portal.owner.post(`/api/v2/workspaces/${portal.workspaceId}/members`, member)).status,
    201,
  )
  const refused = await asObserver.send('PATCH', `${pathOf(one.id)}/segments/${segment.id}`, { text: 'x' })
  assert.deepEqual([refused.status, refused.body.code], [403, 'capability_required'])
})

test('transcribing again keeps corrections and their ids where the times match', async (t) => {
  t.after(() => {
    asAnotherModel = (segments) => segments
  })
  const { id, token } = await recorded(['We need moor benches\nLight', 'Treas'], { seconds: 8 })
  const [first, second, third] = await segmentsOf(id)
  await correct(id, first.id, 'We need more benches')
  await correct(id, third.id, 'Trees')
  asAnotherModel = (segments) =>
    segments.flatMap(({ start, end, text }) =>
      text === 'We need moor benches'
        ? [
            { start: start + 0.3, end: start + 2, text: 'We need more' },
            { start: start + 2, end: end + 0.2, text: 'bench is' },
          ]
        : [{ start, end, text }],
    )
  await repeat(id, token, 'retranscribe')
  const again = await segmentsOf(id)
  assert.deepEqual(
    again.map((segment) => [segment.text, segment.original_text]),
    [
      ['We need more benches', 'We need more bench is'],
      ['Light', null],
      ['Trees', 'Treas'],
    ],
  )
  assert.deepEqual([again[0].id, again[2].id], [first.id, third.id])
  assert.notEqual(again[1].id, second.id)
  // One segment for everything: the correction does not fit, and the words of the engine stay.
  asAnotherModel = ([one, ...rest]) =>
    one
      ? [{ ...one, end: rest.at(-1)?.end ?? one.end, text: [one, ...rest].map(({ text }) => text).join(' ') }]
      : []
  await repeat(id, token, 'retranscribe')
  assert.deepEqual(await textsOf(id), ['We need moor benches Light', 'Trees'])
  // The correction is not lost: it applies again when the times match.
  asAnotherModel = (segments) => segments
  await repeat(id, token, 'retranscribe')
  assert.deepEqual(await textsOf(id), ['We need more benches', 'Light', 'Trees'])
})

test('a conversation that is transcribed again keeps its text until the new one is stored', async (t) => {
  const { id, token } = await recorded(['Benches\nTrees', 'Light', 'Paths'])
  const before = await segmentsOf(id)
  const gates = Array.from({ length: 3 }, () => Promise.withResolvers<void>())
  t.after(() => {
    mayTranscribe = async () => {}
    asAnotherModel = (segments) => segments
  })
  transcribed = 0
  mayTranscribe = async (n) => gates[n]?.promise
  asAnotherModel = (segments) => segments.map((segment) => ({ ...segment, text: `New ${segment.text}` }))
  await portal.owner.post(`${pathOf(id)}/retranscribe`)
  assert.deepEqual(await segmentsOf(id), before)
  assert.match(await transcriptOf(id), /Benches\n.*Trees\n.*Light\n.*Paths/)
  gates[0]?.resolve()
  // One chunk is replaced; the others still have their text.
  const texts = await until(
    () => textsOf(id),
    (all) => all.some((text) => text.startsWith('New ')),
  )
  assert.ok(texts.some((text) => !text.startsWith('New ')))
  assert.deepEqual(
    texts.map((text) => text.replace('New ', '')),
    before.map(({ text }) => text),
  )
  for (const { resolve } of gates) resolve()
  await untilStatus(portal, id, token, 'done')
  assert.deepEqual(await textsOf(id), ['New Benches', 'New Trees', 'New Light', 'New Paths'])
})

test('speakers are shown in every format and renamed per conversation', async () => {
  const { id } = await recorded([
    '@{"speaker": "A"} Benches\n@{"speaker": "B", "confidence": 0.2} Trees',
    'Light',
  ])
  const speakers = `${pathOf(id)}/speakers`
  assert.deepEqual((await portal.owner.get(speakers)).body, { A: null, B: null })
  const named = await portal.owner.send('PATCH', speakers, { A: ' Ann <b>--> ' })
  assert.deepEqual([named.status, named.body], [200, { A: 'Ann <b>-->', B: null }])
  assert.match(await transcriptOf(id), /\] Ann <b>-->: Benches\n.*\] B: \[unclear\] Trees\n.*\] Light\n/)
  assert.match(await transcriptOf(id, 'md'), /\*\* Ann \\<b\\>--\\>: Benches/)
  assert.match(await transcriptOf(id, 'vtt'), /\nAnn &lt;b&gt;--&gt;: Benches\n/)
  assert.match(await transcriptOf(id, 'srt'), /\nB: \[unclear\] Trees\n/)
  const [entry] = JSON.parse(await transcriptOf(id, 'json')).entries
  assert.deepEqual([entry.speaker, entry.text], ['Ann <b>-->', 'Benches'])
  // By the current name, and back to the label.
  assert.deepEqual((await portal.owner.send('PATCH', speakers, { 'Ann <b>-->': 'Anna', B: 'Anna' })).body, {
    A: 'Anna',
    B: 'Anna',
  })
  assert.deepEqual((await portal.owner.send('PATCH', speakers, { Anna: null })).body, { A: null, B: null })
  assert.deepEqual(
    (await segmentsOf(id)).map(({ speaker }) => speaker),
    ['A', 'B', null],
  )
  for (const body of [{ C: 'Carl' }, { A: '' }, { A: 4 }, []])
    assert.equal((await portal.owner.send('PATCH', speakers, body)).status, 422)
})

test('a segment of which no word was understood is unclear at any confidence, and its placeholder is printed once', async () => {
  const { id } = await recorded(
    [
      '@{"confidence": 0.57} [unclear]',
      '@{"confidence": 0.3, "speaker": "A"} [unclear]',
      '[unclear] [unclear].',
      '@{"confidence": 0.3} [unclear] and the bridge',
      '@{"confidence": 0.9} Benches by the [unclear]',
    ].join('\n'),
  )
  const segments = await segmentsOf(id)
  assert.deepEqual(
    segments.map(({ unclear }) => unclear),
    [true, true, true, true, false],
  )
  const printed = [
    '[unclear]',
    'A: [unclear]',
    '[unclear]',
    '[unclear] and the bridge',
    'Benches by the [unclear]',
  ]
  for (const [format, line] of [
    ['txt', /^\[\d\d:\d\d:\d\d\] (.*)$/gm],
    ['md', /^\*\*\d\d:\d\d:\d\d\*\* (.*)$/gm],
    ['vtt', / --> .*\n(.*)$/gm],
    ['srt', / --> .*\n(.*)$/gm],
  ] as const) {
    const lines = [...(await transcriptOf(id, format)).matchAll(line)]
    assert.deepEqual(
      lines.map(([, text]) => text?.replaceAll('\\', '')),
      printed,
      format,
    )
  }
  const { entries } = JSON.parse(await transcriptOf(id, 'json'))
  assert.deepEqual(
    entries.map((entry: Reply['body']) => [entry.unclear, entry.text]),
    segments.map(({ unclear, text }) => [unclear || undefined, text]),
  )

  const [, , , , clear] = segments
  const corrected = await correct(id, clear.id, '[unclear]')
  assert.equal(corrected.body.unclear, true)
  assert.equal((await correct(id, segments[0].id, 'A bridge')).body.unclear, false)
  assert.equal((await correct(id, segments[1].id, '')).body.unclear, false)
})

test('erasure reaches corrections, originals and names of speakers', async () => {
  const { id } = await recorded('@{"speaker": "A"} The first zitherword\nMore')
  const [first] = await segmentsOf(id)
  await correct(id, first.id, 'A corrected zitherword')
  await portal.owner.send('PATCH', `${pathOf(id)}/speakers`, { A: 'Ada zitherword' })
  const places = () => findWord('zitherword', backend.database.pool, backend.filesFolder)
  const before = (await places()).join()
  for (const table of ['segments', 'segment_corrections', 'conversations'])
    assert.match(before, new RegExp(table))
  await portal.owner.send('DELETE', pathOf(id))
  await untilErased(id)
  assert.deepEqual(await places(), [])
})

test('the stream of a project carries new, corrected and removed segments, and resumes after any of them', async (t) => {
  const stream = await streamOf('?include=segments')
  t.after(stream.close)
  const { id, token } = await recorded('@{"speaker": "A"} Benches\nTreas')
  type Sent = { id: string; conversation_id: string; deleted: boolean } & Record<string, unknown>
  const sent = (events: { event: string; data: Sent }[]) =>
    events.flatMap(({ event, data }) => (event === 'segment' && data.conversation_id === id ? [data] : []))
  const got = async (count: number): Promise<Sent[]> =>
    sent(
      await until(
        async () => stream.events,
        (events) => sent(events).length >= count,
      ),
    )
  const [first, second] = await got(2)
  assert.ok(first && second)
  const { position: _, conversation_id, deleted, ...segment } = second
  assert.deepEqual([conversation_id, deleted], [id, false])
  assert.deepEqual(segment, (await segmentsOf(id))[1])
  await correct(id, second.id, 'Trees')
  assert.equal((await got(3))[2]?.['text'], 'Trees')
  await portal.owner.send('PATCH', `${pathOf(id)}/speakers`, { A: 'Ann' })
  assert.equal((await got(4))[3]?.['speaker'], 'Ann')
  await repeat(id, token, 'retranscribe')
  const after = (await got(7)).slice(4)
  const kept = (await segmentsOf(id)).map((one) => one.id)
  assert.deepEqual(
    after.map((one) => [one.id, one.deleted]).sort(),
    [...kept.map((one) => [one, false]), [first.id, true]].sort(),
  )
  assert.equal(kept[1], second.id)
  const ids = stream.events.map((event) => event.id)
  assert.equal(new Set(ids).size, ids.length)
  const from = stream.events.findIndex(({ data }) => data.id === second.id)
  const resumed = await streamOf('?include=segments', ids[from])
  t.after(resumed.close)
  const expected = stream.events
    .slice(from + 1)
    .filter(({ event }) => event === 'segment')
    .at(-1)
  await until(
    async () => resumed.events,
    (events) => events.some((event) => event.id === expected?.id),
  )
  const without = await streamOf('?since=2020-01-01T00:00:00Z')
  t.after(without.close)
  await without.got(1)
  assert.ok(without.events.every(({ event }) => event === 'conversation'))
  assert.equal(
    (await portal.owner.get(`/api/v2/projects/${portal.projectId}/stream?include=all`)).status,
    422,
  )
})
