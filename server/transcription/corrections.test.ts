import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newConversation, untilStatus } from '../../test/support/conversations.ts'
import { scriptedSummarizer } from '../../test/support/engines.ts'
import { until } from '../../test/support/webhooks.ts'
import { lengthOf, recordClock, speak, wordClock } from '../../test/support/word-clock.ts'
import { portal, recorded, setUp } from '../conversations/testing/setup.ts'

const breaths = speak([3, 1, 12, 2, 7, 30, 1, 5, 4])
const textOf = (index: number) => breaths[index]?.map(({ text }) => text).join(' ') ?? ''
setUp({ engines: { transcriber: wordClock(breaths, 1), summarizer: scriptedSummarizer() } })

interface Segment {
  id: string
  text: string
  original_text: string | null
}

const segmentsOf = async (id: string): Promise<Segment[]> =>
  (await portal.owner.get(`/api/v2/conversations/${id}/segments`)).body.data

async function correct(id: string, { id: segment, text }: Segment): Promise<void> {
  const path = `/api/v2/conversations/${id}/segments/${segment}`
  assert.equal((await portal.owner.send('PATCH', path, { text: `corrected ${text}` })).status, 200)
}

test('every correction survives a second transcription of overlapping chunks, and no word is lost or repeated', async () => {
  const chunks = Array.from({ length: Math.ceil(lengthOf(breaths) / 4_000) }, (_, n) =>
    recordClock(4_000 * n, Math.min(4_000 * (n + 1), lengthOf(breaths))),
  )
  const { id, token } = await recorded(chunks)
  const before = await segmentsOf(id)
  assert.equal(before.length, breaths.length)
  for (const segment of before) await correct(id, segment)
  const { body } = await portal.owner.post(`/api/v2/conversations/${id}/retranscribe`)
  await untilStatus(portal, id, token, 'done')
  assert.equal((await portal.owner.get(`/api/v2/conversations/${id}`)).body.revision, body.revision)
  assert.deepEqual(
    (await segmentsOf(id)).map(({ id, text, original_text }) => [id, text, original_text]),
    before.map(({ id, text }) => [id, `corrected ${text}`, text]),
  )
})

test('a correction of the last, cut-off phrase stays when the next chunk arrives, and the rest of the phrase follows', async () => {
  const { id, token, send } = await newConversation(portal)
  // Within the third phrase.
  await send('PUT', '/chunks/0', recordClock(0, 5_000))
  const [, , cutOff] = await until(
    () => segmentsOf(id),
    ({ length }) => length === 3,
  )
  assert.ok(cutOff && textOf(2).startsWith(cutOff.text.split(' ')[0] ?? '?'))
  await correct(id, cutOff)
  await send('PUT', '/chunks/1', recordClock(5_000, 12_000))
  await send('POST', '/finish')
  await untilStatus(portal, id, token, 'done')
  const texts = (await segmentsOf(id)).map(({ text }) => text)
  assert.deepEqual(texts.slice(0, 4), [textOf(0), textOf(1), `corrected ${cutOff.text}`, textOf(2)])
})
