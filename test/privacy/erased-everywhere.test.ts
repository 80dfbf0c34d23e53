import assert from 'node:assert/strict'
import { test } from 'node:test'
import { backend, portal, query, setUp, untilErased } from '../../server/conversations/testing/setup.ts'
import { createOpenAiSummarizer } from '../../server/summaries/engines/openai/summarizer.ts'
import {
  type Asked,
  type FakeModel,
  reply,
  startFakeModel,
} from '../../server/summaries/engines/openai/testing/fake-model.ts'
import type { Summarizer } from '../../server/summaries/index.ts'
import { newConversation, untilStatus } from '../support/conversations.ts'
import { findWord } from '../support/database/dump.ts'
import { scriptedTranscriber, wavOf } from '../support/engines.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { EVERY_EVENT, until } from '../support/webhooks.ts'

/** One word for each way in which content gets in. They are in no other place. */
const CANARIES = {
  said: 'bandoneon',
  replaced: 'harmonium',
  corrected: 'glockenspiel',
  typed: 'kontrabass',
  name: 'Flugelhorn',
  email: 'ocarina',
  tag: 'balalaika',
  speaker: 'Sousaphone',
  title: 'clavichord',
}
const WORDS = Object.values(CANARIES)

let model: FakeModel
let receiver: Receiver
/** Opened once the fake model listens. */
const summarizer: { current: Summarizer | null } = { current: null }
const engine = (): Summarizer => summarizer.current as Summarizer
const engines = {
  transcriber: scriptedTranscriber(),
  summarizer: {
    capabilities: { name: 'openai' },
    summarize: (request) => engine().summarize(request),
    report: (request) => engine().report(request),
    close: async () => {},
  } satisfies Summarizer,
}
setUp({ engines, worker: true }, {}, async (stack) => {
  model = await startFakeModel((response, asked) => reply(written(asked))(response, asked))
  stack.defer(() => model.close())
  summarizer.current = createOpenAiSummarizer({ server: model.client(), model: 'a-model' })
  receiver = await startReceiver()
  stack.defer(() => receiver.close())
})

/** A model that repeats what was said, in any task. */
function written(asked: Asked): object {
  const user = asked.json().messages[1]?.content ?? ''
  const lines = [...user.matchAll(/^\[(s\d+)\] (?:(?:#\d+ ?)+: )?(.*)$/gm)].map(
    ([, label = '', text = '']) => ({
      text,
      sources: [label],
    }),
  )
  return {
    title: lines[0]?.text.slice(0, 60) ?? '',
    points: lines,
    tags: lines.flatMap(({ text }) => text.split(' ').slice(-1)),
    notes: lines,
    quotations: lines.slice(0, 1),
    introduction: lines[0] ?? { text: '', sources: [] },
    sections: lines.map((line) => ({
      heading: line.text.slice(0, 60),
      paragraphs: [line],
      quotations: ['q1'],
    })),
  }
}

const placesOf = (word: string) => findWord(word, backend.database.pool, backend.filesFolder)

/** By word, the tables and files that contain it. */
const allPlaces = async (): Promise<Record<string, string[]>> => {
  const found: Record<string, string[]> = {}
  for (const word of WORDS) {
    const places = await placesOf(word)
    if (places.length > 0) found[word] = places
  }
  return found
}

async function speak(): Promise<{
  id: string
  token: string
  send: Awaited<ReturnType<typeof newConversation>>['send']
}> {
  const conversation = await newConversation(portal, {
    participant_name: `Ada ${CANARIES.name}`,
    participant_email: `${CANARIES.email}@example.com`,
    tags: [CANARIES.tag],
  })
  const { id, token, send } = conversation
  const words = JSON.stringify([{ text: CANARIES.said, start: 0, end: 0.4, confidence: 0.9 }])
  await send(
    'PUT',
    '/chunks/0',
    wavOf(`@{"speaker":"A","words":${words}} The ${CANARIES.said} player needs a stage.
@{"speaker":"B"} The ${CANARIES.replaced} in the church is broken.`),
  )
  await send('POST', '/text', { content: `Please repair the ${CANARIES.typed} too.` })
  await send('POST', '/finish')
  await untilStatus(portal, id, token, 'done')
  return conversation
}

test('a withdrawn conversation leaves no word in any column or file, wherever hosts and engines put it', async () => {
  await query(`update workspaces set tier = 'changemaker' where id = $1`, [portal.workspaceId])
  receiver.respond = (response, { body }) => void response.writeHead(200).end(body)
  const hook = await portal.owner.post(`/api/projects/${portal.projectId}/webhooks`, {
    url: receiver.url,
    events: EVERY_EVENT,
    name: 'Echo',
  })
  assert.equal(hook.status, 201, hook.text)
  const { id, token, send } = await speak()
  const path = `/api/v2/conversations/${id}`
  const { data } = (await portal.owner.get(`${path}/segments`)).body
  const replaced = data.find(({ text }: { text: string }) => text.includes(CANARIES.replaced))
  const change = { text: `The ${CANARIES.corrected} in the church is broken.` }
  for (const [target, body] of [
    [`/segments/${replaced.id}`, change],
    ['/speakers', { A: CANARIES.speaker }],
    ['', { title: `About the ${CANARIES.title}` }],
  ] as const)
    assert.equal((await portal.owner.send('PATCH', `${path}${target}`, body)).status, 200)
  // Segments that were replaced are remembered for streams, and a correction is carried over.
  await portal.owner.post(`${path}/retranscribe`)
  await untilStatus(portal, id, token, 'done')
  const { body } = await portal.owner.post(`/api/v2/projects/${portal.projectId}/reports`, {})
  const report = `/api/v2/reports/${body.id}`
  const made = await until(
    () => portal.owner.get(report),
    (one) => one.body.status === 'ready',
  )
  assert.equal(made.body.method, 'generative')
  await portal.owner.send('PATCH', report, { published: true })
  await until(
    () => query(`select from attempts where details::text like '%' || $1 || '%'`, [CANARIES.corrected]),
    ({ length }) => length > 0,
  )

  const before = await allPlaces()
  assert.deepEqual(Object.keys(before).sort(), WORDS.toSorted(), 'each canary is stored somewhere')
  const tables = new Set(Object.values(before).flat())
  for (const table of [
    'conversations',
    'segments',
    'segment_corrections',
    'text_entries',
    'conversation_words',
    'conversation_notes',
    'reports',
    'events',
    'attempts',
  ])
    assert.ok(
      [...tables].some((name) => name.startsWith(`parley.${table}`)),
      `${table} had no canary, so this test would not notice it there: ${[...tables].join()}`,
    )
  assert.ok([...tables].some((name) => name.startsWith('/')))

  assert.equal((await send('DELETE', '')).status, 204)
  await untilErased(id)
  const left = await until(allPlaces, (places) => Object.keys(places).length === 0).catch(allPlaces)
  assert.deepEqual(left, {})
})
