import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ModelHandler, refuse, reply, say, start } from './testing/fake-model.ts'
import { request, summarize, summarizerOf, userOf, utterancesOf } from './testing/summaries.ts'

const NOTES = [{ text: 'The canal is dirty.', sources: ['s1'] }]
const DIRTY = { notes: NOTES, quotations: [], points: NOTES, title: 'Canal', tags: [] }

test('summarises a long transcript in parts that fit, with points from all parts', async (t) => {
  const text = 'at some length why it matters to everybody who lives near the canal'
  const utterances = utterancesOf(120, (index) => `Speaker ${index} explains subject${index}, and ${text}.`)
  const answering: ModelHandler = (response, asked) => {
    const labels = [...userOf(asked).matchAll(/\[(s\d+)\]/g)].map(([, label]) => label)
    const statements = [{ text: 'The canal matters.', sources: [labels[0], labels.at(-1)] }]
    const result = { title: 'The canal', points: statements, notes: statements, quotations: [], tags: [] }
    return reply(result)(response, asked)
  }
  const fake = await start(t, answering)
  const summary = await summarizerOf(fake, { windowTokens: 3_400 }).summarize(request({ utterances }))
  assert.ok(fake.asked.length >= 4, `${fake.asked.length} questions`)
  for (const asked of fake.asked) assert.ok(userOf(asked).length / 4 <= 1_100)
  assert.equal(summary.points[0]?.utterances.at(0), 'u0')
  assert.equal(summary.points[0]?.utterances.at(-1), 'u119')
})

test('stops merging if a model never merges its notes', async (t) => {
  const copying: ModelHandler = (response, asked) => {
    const lines = [...userOf(asked).matchAll(/\[(s\d+)\] (.*)/g)]
    const statements = lines.map(([, label, text]) => ({ text, sources: [label] }))
    const result = { title: 'Canal', points: statements.slice(0, 1), notes: statements, tags: [] }
    return reply(result)(response, asked)
  }
  const fake = await start(t, copying)
  const utterances = utterancesOf(100, (index) => `The canal near house ${index} is dirty and smells bad.`)
  const summary = await summarizerOf(fake, { windowTokens: 2_900 }).summarize(request({ utterances }))
  assert.equal(summary.points.length, 1)
  assert.ok(fake.asked.length < 40, `${fake.asked.length} questions`)
  assert.ok(userOf(fake.asked.at(-1)).length / 4 < 600, 'lines that do not fit are left out')
})

test('splits one huge text into parts', async (t) => {
  const fake = await start(t, reply(DIRTY))
  const text = 'The canal is dirty. '.repeat(2_000)
  const summary = await summarize(fake, { utterances: [{ id: 'written', start: null, text }] })
  assert.ok(fake.asked.length > 2)
  assert.deepEqual(summary.points, [{ text: 'The canal is dirty.', utterances: ['written'] }])
})

test('adapts to a context window that is smaller than configured', async (t) => {
  const utterances = utterancesOf(
    200,
    (index) => `The canal near house ${index} is dirty and smells bad in summer.`,
  )
  const small: ModelHandler = (response, asked) => {
    if (asked.body.length > 12_000)
      return refuse("This model's maximum context length is 4096 tokens.")(response, asked)
    return reply(DIRTY)(response, asked)
  }
  const fake = await start(t, small)
  const summarizer = summarizerOf(fake)
  assert.equal((await summarizer.summarize(request({ utterances }))).title, 'Canal')
  assert.ok(fake.asked.length > 2)
  // Another conversation can need fewer tokens than estimated: its first prompt has the full size again.
  await summarizer.summarize(request({ utterances: utterances.slice(0, 100) }))
  const [longest] = fake.asked.map(({ body }) => body.length).sort((a, b) => b - a)
  assert.ok(longest && longest > 12_000)
})

test('shortens the prompt after each kind of length error, and selects sentences if that never helps', async (t) => {
  const ways: ModelHandler[] = [
    refuse('no', 'context_length_exceeded'),
    refuse("This model's maximum context length is 4096 tokens."),
    refuse('the request exceeds the available context size, try increasing it'),
    refuse('The input token count (9000) exceeds the maximum number of tokens allowed (4096).'),
    refuse('prompt is too long: 9000 tokens > 4096 maximum'),
    say(413, ''),
  ]
  const utterances = utterancesOf(600, () => 'The canal is dirty and smells.')
  for (const way of ways) {
    const fake = await start(t, way, reply(DIRTY))
    assert.equal((await summarize(fake, { utterances })).title, 'Canal')
    const [first, second] = fake.asked.map(({ body }) => body.length)
    assert.ok(first && second && second < first, `${first}, then ${second}`)
    const { fallback } = await summarize(await start(t, way), { utterances })
    assert.equal(fallback, 'token_limit')
  }
})
