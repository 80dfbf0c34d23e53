import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Room,
  type Table,
  textOf,
  timeOf,
  troubleOf,
  withConversation,
  withSegment,
  withSnapshot,
} from './room-state.ts'
import { createParser, type ServerEvent } from './server-events.ts'

const AT = '2026-03-14T09:00:00.000Z'

const recording = (id: string, texts: string[] = []) => ({
  id,
  code: null,
  status: 'recording' as const,
  failure: null,
  source: 'portal_audio' as const,
  participant_name: id,
  title: null,
  tags: [],
  started_at: AT,
  finished_at: null,
  last_active_at: AT,
  is_paused: false,
  duration_seconds: 0,
  missing_seconds: 0,
  segments: texts.map((text) => ({ id: `${id} ${text}`, text })),
  written_text: null as string | null,
})

const roomOf = (...recordings: ReturnType<typeof recording>[]): Room =>
  withSnapshot(new Map(), { at: AT, recordings }, 0)

const said = (table: string, text: string, id = `${table} ${text}`) =>
  ({ id, conversation_id: table, text, deleted: false }) as const

const textIn = (room: Room, id: string): string => textOf(room.get(id) as Table)

test('text of the stream that is newer than a reading stays, and older text is not shown twice', () => {
  let room = roomOf(recording('a', ['one']))
  room = withSegment(room, said('a', 'two'), 100)
  room = withSegment(room, said('a', 'three'), 300)
  assert.equal(textIn(room, 'a'), 'one two three')
  // Sent at 200: "two" was transcribed before and is in the response, "three" after it.
  room = withSnapshot(room, { at: AT, recordings: [recording('a', ['one', 'two'])] }, 200)
  assert.equal(textIn(room, 'a'), 'one two three')
})

test('a segment that was corrected keeps its place, and one that was replaced goes away', () => {
  let room = roomOf(recording('a', ['one', 'two']))
  room = withSegment(room, said('a', 'ONE', 'a one'), 1)
  assert.equal(textIn(room, 'a'), 'ONE two')
  room = withSegment(room, { id: 'a two', conversation_id: 'a', deleted: true }, 2)
  assert.equal(textIn(room, 'a'), 'ONE')
  assert.equal(withSegment(room, said('unknown', 'x'), 3), room)
})

test('a conversation that begins comes last; uploads and old conversations do not come at all', () => {
  const room = roomOf(recording('a'), recording('b'))
  const { segments: _, tags: _tags, ...state } = recording('c')
  const grown = withConversation(room, { ...state, deleted: false }, AT)
  assert.deepEqual([...grown.keys()], ['a', 'b', 'c'])
  const finished = withConversation(grown, { ...state, id: 'a', status: 'done', deleted: false }, AT)
  assert.deepEqual([...finished.keys()], ['a', 'b', 'c'])
  assert.equal(finished.get('a')?.status, 'done')
  assert.deepEqual([...withConversation(grown, { id: 'b', deleted: true }, AT).keys()], ['a', 'c'])
  for (const event of [{ source: 'upload' as const }, { status: 'done' as const }])
    assert.equal(withConversation(room, { ...state, deleted: false, ...event }, AT), room)
})

test('the worst trouble is shown; people who write are never silent', () => {
  const later = Date.parse(AT) + 31_000
  const table = roomOf(recording('a')).get('a') as Table
  assert.equal(troubleOf(table, later - 2_000), null)
  assert.equal(troubleOf(table, later), 'silent')
  assert.equal(troubleOf({ ...table, source: 'portal_text' }, later), null)
  assert.equal(troubleOf({ ...table, is_paused: true }, later), null, 'a phone that is paused sends no audio')
  assert.equal(troubleOf({ ...table, is_paused: true }, later + 5 * 60_000), 'silent', 'nor a heartbeat')
  assert.equal(troubleOf({ ...table, missing_seconds: 5 }, later - 2_000), 'gap')
  assert.equal(troubleOf({ ...table, status: 'failed' }, later), 'failed')
  assert.equal(troubleOf({ ...table, status: 'done', missing_seconds: 5 }, later), null)
})

test('typed text is shown after spoken words, and stays when the conversation changes', () => {
  const room = roomOf({ ...recording('a', ['Spoken.']), written_text: 'Typed.' })
  assert.equal(textIn(room, 'a'), 'Spoken. Typed.')
  const { segments: _, tags: _tags, written_text: _text, ...state } = recording('a')
  const changed = withConversation(room, { ...state, status: 'done', deleted: false }, AT)
  assert.equal(textIn(changed, 'a'), 'Spoken. Typed.')
})

test('the time runs while a conversation is open, then it is the length of the audio, if there is any', () => {
  const table = roomOf(recording('a')).get('a') as Table
  const minuteLater = Date.parse(AT) / 1_000 + 60
  assert.equal(timeOf(table, minuteLater), 60)
  const over = { ...table, finished_at: AT, duration_seconds: 12 }
  assert.equal(timeOf({ ...over, status: 'transcribing' }, 0), null, 'the length is not known yet')
  assert.equal(timeOf({ ...over, status: 'done' }, 0), 12)
  assert.equal(timeOf({ ...over, status: 'failed', duration_seconds: 0 }, 0), null)
  assert.equal(timeOf({ ...over, status: 'done', source: 'portal_text', duration_seconds: 0 }, 0), null)
})

test('events are read from pieces of any size, and comments are ignored', () => {
  const text =
    ': welcome\n\nid: 7:a\nevent: segment\ndata: {"text":"a: b"}\n\n: still here\n\nid: 8:b\nevent: x\ndata: 1\n\n'
  for (const size of [1, 7, 1_000]) {
    const events: ServerEvent[] = []
    const parse = createParser((event) => events.push(event))
    for (let at = 0; at < text.length; at += size) parse(text.slice(at, at + size))
    assert.deepEqual(events, [
      { id: '7:a', type: 'segment', data: { text: 'a: b' } },
      { id: '8:b', type: 'x', data: 1 },
    ])
  }
})
