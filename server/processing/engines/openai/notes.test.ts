import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answering, refuse, reply, say } from './testing/fake-model.ts'
import { request, start, summarize, summarizerOf, userOf } from './testing/summaries.ts'

test('a long transcript is read in parts that fit, and its points rest on utterances of all parts', async (t) => {
  const utterances = Array.from({ length: 120 }, (_, index) => ({
    id: `u${index}`,
    start: index,
    text: `Speaker ${index} explains at some length why subject${index} matters to everybody who lives near the canal.`,
  }))
  const answering: Answering = (response, asked) => {
    const labels = [...userOf(asked).matchAll(/\[(s\d+)\]/g)].map(([, label]) => label)
    const statements = [{ text: 'The canal matters.', sources: [labels[0], labels.at(-1)] }]
    return reply({
      title: 'The canal',
      points: statements,
      notes: statements,
      quotations: [],
      tags: ['canal'],
    })(response, asked)
  }
  const fake = await start(t, answering)
  const summary = await summarizerOf(fake, { windowTokens: 3_400 }).summarize(request({ utterances }))
  assert.ok(fake.asked.length >= 4, `${fake.asked.length} questions`)
  for (const asked of fake.asked) assert.ok(userOf(asked).length / 4 <= 1_100)
  assert.equal(summary.points[0]?.utterances.at(0), 'u0')
  assert.equal(summary.points[0]?.utterances.at(-1), 'u119')
})

test('a model that never merges its notes does not keep us for ever', async (t) => {
  const copying: Answering = (response, asked) => {
    const lines = [...userOf(asked).matchAll(/\[(s\d+)\] (.*)/g)]
    const statements = lines.map(([, label, text]) => ({ text, sources: [label] }))
    return reply({ title: 'Canal', points: statements.slice(0, 1), notes: statements, tags: [] })(
      response,
      asked,
    )
  }
  const fake = await start(t, copying)
  const utterances = Array.from({ length: 100 }, (_, index) => ({
    id: `u${index}`,
    start: index,
    text: `The canal near house ${index} is dirty and smells bad.`,
  }))
  const summary = await summarizerOf(fake, { windowTokens: 2_900 }).summarize(request({ utterances }))
  assert.equal(summary.points.length, 1)
  assert.ok(fake.asked.length < 40, `${fake.asked.length} questions`)
  assert.ok(userOf(fake.asked.at(-1)).length / 4 < 600, 'what does not fit is left out')
})

test('one huge text is read in parts as well', async (t) => {
  const fake = await start(t, (response, asked) => {
    const notes = [{ text: 'The canal is dirty.', sources: ['s1'] }]
    return reply({ notes, points: notes, title: 'Canal', tags: [] })(response, asked)
  })
  const text = 'The canal is dirty. '.repeat(2_000)
  const summary = await summarize(fake, { utterances: [{ id: 'written', start: null, text }] })
  assert.ok(fake.asked.length > 2)
  assert.deepEqual(summary.points, [{ text: 'The canal is dirty.', utterances: ['written'] }])
})

test('a window that is smaller than we were told is found out', async (t) => {
  const utterances = Array.from({ length: 200 }, (_, index) => ({
    id: `u${index}`,
    start: index,
    text: `The canal near house ${index} is dirty and smells bad in summer.`,
  }))
  const small: Answering = (response, asked) => {
    if (asked.body.length > 12_000)
      return refuse("This model's maximum context length is 4096 tokens.")(response, asked)
    const notes = [{ text: 'The canal is dirty.', sources: ['s1'] }]
    return reply({ notes, quotations: [], points: notes, title: 'Canal', tags: [] })(response, asked)
  }
  const fake = await start(t, small)
  const summarizer = summarizerOf(fake)
  assert.equal((await summarizer.summarize(request({ utterances }))).title, 'Canal')
  const before = fake.asked.length
  await summarizer.summarize(request({ utterances }))
  assert.ok(
    fake.asked.slice(before).every(({ body }) => body.length <= 12_000),
    'remembered',
  )
  for (const answer of [refuse('no', 'context_length_exceeded'), say(413, '')])
    await assert.rejects(summarize(await start(t, answer)), { code: 'unavailable' })
})
