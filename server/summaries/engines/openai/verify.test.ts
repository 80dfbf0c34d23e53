import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { KeptNotes, NoteStore, ReportRequest } from '../../summarizer.ts'
import { createOpenAiSummarizer } from './summarizer.ts'
import { claimsIn, type FakeModel, reply, start } from './testing/fake-model.ts'
import { KINDS } from './testing/planted-claims.ts'
import { DUTCH, ENGLISH, type Planted, type PlantingOptions, plantClaims } from './testing/planting-model.ts'
import { GOOD, summarize, TALK } from './testing/summaries.ts'

const SEEDS = 8

const reportOf = (fake: FakeModel, more: Partial<ReportRequest> = {}) =>
  createOpenAiSummarizer({ server: fake.client(), model: 'a-model', concurrency: 1 }).report({
    title: null,
    language: 'en',
    instructions: null,
    conversations: ENGLISH.conversations,
    signal: new AbortController().signal,
    onProgress: () => {},
    ...more,
  })

/** How many false and true claims of the fixture a report prints. */
async function printed(t: TestContext, planted: Planted, options: PlantingOptions) {
  const fake = await start(t)
  plantClaims(fake, options, planted)
  const { language, conversations } = planted
  const draft = await reportOf(fake, { language, conversations })
  const texts = draft.sections.flatMap(({ paragraphs }) => paragraphs.map(({ text }) => text))
  assert.doesNotMatch(draft.title + draft.introduction, /drug|bribed/)
  return {
    false: texts.filter((text) => planted.falseClaims.has(text)),
    true: texts.filter((text) => planted.trueClaims.has(text)),
    requests: { notes: fake.asked.length - 1, report: 1, verify: fake.verified.length },
  }
}

for (const planted of [ENGLISH, DUTCH]) {
  const { language, claims, trueClaims, falseClaims } = planted
  test(`the fixture (${language}) has 60 true and 60 false claims, six of each kind`, () => {
    assert.deepEqual([trueClaims.size, falseClaims.size], [60, 60])
    for (const kind of KINDS) assert.equal(claims.filter((one) => one.kind === kind).length, 6, kind)
  })

  test(`prints no planted falsehood and nearly all true claims (${language}), if the verifier is right`, async (t) => {
    const result = await printed(t, planted, { seed: 1, errorRate: 0 })
    assert.deepEqual(result.false, [])
    assert.ok(result.true.length >= 58, String(result.true.length))
  })

  test(`prints at most 2 of 60 planted falsehoods and at least 55 of 60 true claims (${language}), if the verifier errs in 1 of 30`, async (t) => {
    const results = []
    for (let seed = 1; seed <= SEEDS; seed++)
      results.push(await printed(t, planted, { seed, errorRate: 1 / 30 }))
    const falsehoods = results.map((one) => one.false.length)
    const truths = results.map((one) => one.true.length)
    t.diagnostic(
      `falsehoods ${falsehoods.join()}; true claims ${truths.join()}; ${JSON.stringify(results[0]?.requests)}`,
    )
    assert.ok(Math.max(...falsehoods) <= 2)
    assert.ok(Math.min(...truths) >= 55)
  })
}

test('takes notes on 30 short conversations in 5 requests, and for the next report in none', async (t) => {
  const kept = new Map<string, { key: string; notes: KeptNotes }>()
  const notes: NoteStore = {
    load: async (keys) =>
      new Map([...kept].flatMap(([id, one]) => (keys.get(id) === one.key ? [[id, one.notes]] : []))),
    save: async (id, key, notes) => void kept.set(id, { key, notes }),
  }
  const requests = async (more: Partial<ReportRequest> = {}) => {
    const fake = await start(t)
    plantClaims(fake, { seed: 1, errorRate: 0, isWellFormed: true })
    const draft = await reportOf(fake, { notes, ...more })
    return { draft, notes: fake.asked.length - 1, verify: fake.verified.length }
  }
  const first = await requests()
  assert.equal(first.notes, 5)
  const second = await requests()
  assert.deepEqual([second.notes, second.verify], [0, first.verify])
  assert.deepEqual(second.draft, first.draft)
  // 120 claims, a title and headings, twelve per request, less those that the first checks drop; all of them are asked about twice.
  assert.equal(first.verify, 16)
  // A corrected line, and another language: these notes are taken again.
  const [corrected, ...others] = ENGLISH.conversations
  assert.ok(corrected)
  const utterances = corrected.utterances.map((one) => ({ ...one, text: `${one.text} Yes.` }))
  const third = await requests({ conversations: [{ ...corrected, utterances }, ...others] })
  assert.equal(third.notes, 1)
  assert.equal((await requests({ language: 'nl' })).notes, 5)
})

test('reads a conversation alone if a shared response has no note on it', async (t) => {
  const conversations = ENGLISH.conversations.slice(0, 3)
  const notes = (sources: string[]) => ({
    notes: sources.map((source) => ({ text: conversations[0]?.utterances[0]?.text, sources: [source] })),
    quotations: [],
  })
  const fake = await start(t, reply(notes(['s1', 's3'])), reply(notes(['s1'])))
  await reportOf(fake, { conversations }).catch(() => {})
  const users = fake.asked.map((asked) => asked.json().messages[1]?.content ?? '')
  assert.match(users[0] ?? '', /^\[s3\] #2: /m)
  for (const [at, { utterances }] of conversations.slice(1).entries())
    assert.ok(users[at + 1]?.includes(`[s1] ${utterances[0]?.text}`), users[at + 1])
})

test('drops the points of a summary that their lines do not support', async (t) => {
  const fake = await start(t, reply(GOOD))
  fake.verify = (response, asked) => {
    const checks = claimsIn(asked).map(({ label, text }) => ({
      label,
      decision: /library/.test(text) ? 'contradict' : 'support',
    }))
    return reply({ checks })(response, asked)
  }
  const { title, points } = await summarize(fake)
  assert.deepEqual(
    points.map(({ text }) => text),
    ['The bike lanes are narrow, which frightens children.'],
  )
  assert.doesNotMatch(title, /library/)
  const [claim] = fake.verified.flatMap(claimsIn)
  assert.deepEqual(claim?.lines, [TALK[0]?.text, TALK[1]?.text])
})

test('falls back to an extract if the model never gives a decision', async (t) => {
  const fake = await start(t, reply(GOOD))
  fake.verify = reply('I cannot judge that.')
  assert.equal((await summarize(fake)).method, 'extractive')
})

test('shows the verifier the sentences of a long text that share words with the claim', async (t) => {
  const text = `${'We talked about the weather for a while. '.repeat(200)}The library is loud. ${'And so on. '.repeat(200)}`
  const point = { text: 'The library is said to be loud.', sources: ['s1'] }
  const fake = await start(
    t,
    reply({ title: 'Library', points: [point], tags: [], notes: [point], quotations: [] }),
  )
  await summarize(fake, { utterances: [{ id: 'a', start: null, text }] })
  const [claim] = fake.verified.flatMap(claimsIn)
  assert.ok(claim?.lines[0]?.includes('The library is loud.'))
  assert.ok(String(claim?.lines[0]).length <= 1_200)
})
