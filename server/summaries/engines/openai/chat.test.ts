import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { type ModelHandler, refuse, reply, say, start } from './testing/fake-model.ts'
import { formatOf, GOOD, request, SUMMARY, summarize, summarizerOf } from './testing/summaries.ts'

test('finds the JSON object in a model’s text', async (t) => {
  const json = JSON.stringify(GOOD)
  const contents = [
    `\`\`\`json\n${json}\n\`\`\``,
    `<think>{"title": "no"} hm</think>\n${json}`,
    `so { maybe</think>${json}`,
    `Here you are:\n${json}\nI hope this helps.`,
    ...[
      [...GOOD.points, 'a string', null, { text: 4 }, { text: 'no sources' }],
      GOOD.points.map(({ text, sources }) => ({ text, sources: `[${sources.join('], [')}]` })),
      GOOD.points.map(({ text, sources }) => ({ text, sources: sources.map((one) => Number(one.slice(1))) })),
    ].map((points) => JSON.stringify({ ...GOOD, points })),
  ]
  for (const content of contents) {
    const fake = await start(t, reply(content))
    assert.deepEqual(await summarize(fake), SUMMARY, content)
  }
})

test('falls back from a schema to a JSON object, then to text, and remembers it', async (t) => {
  const fake = await start(t, refuse('response_format json_schema'), refuse('response_format'), reply(GOOD))
  const summarizer = summarizerOf(fake)
  for (let round = 0; round < 2; round++) assert.deepEqual(await summarizer.summarize(request()), SUMMARY)
  const formats = fake.asked.map(formatOf)
  assert.deepEqual(formats, ['json_schema', 'json_object', undefined, undefined])
})

test('uses the newer name of the token limit if the server asks for it', async (t) => {
  const message = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
  const fake = await start(t, refuse(message, 'unsupported_parameter'), reply(GOOD))
  assert.deepEqual(await summarize(fake), SUMMARY)
  assert.deepEqual(
    fake.asked.map((asked) => [asked.json()['max_tokens'], asked.json()['max_completion_tokens']]),
    [
      [1_500, undefined],
      [undefined, 1_500],
    ],
  )
})

test('retries once after a truncated, empty, declined or unusable response, then selects sentences', async (t) => {
  const bad: ModelHandler[] = [
    reply('{"title": "Bi', { finish_reason: 'length' }),
    reply(''),
    reply('', { message: { content: null, refusal: 'I would rather not.' } }),
    reply('I can’t find any JSON here'),
    reply('[1, 2]'),
    reply({ title: 'no points' }),
    say(200, '<html></html>'),
    say(200, { choices: [] }),
  ]
  for (const answer of bad) {
    const once = await start(t, answer, reply(GOOD))
    assert.deepEqual(await summarize(once), SUMMARY)
    assert.equal(once.asked[1]?.json()['max_tokens'], 3_000)
    const always = await start(t, answer)
    const picked = await summarize(always)
    assert.deepEqual([picked.method, picked.model], ['extractive', null])
    assert.ok(picked.fallback && picked.points.length > 0)
    assert.equal(always.asked.length, 2)
  }
})

test('reports why there is no result, without transcript text', async (t) => {
  const cases: [ModelHandler, string, string][] = [
    [reply(GOOD, { finish_reason: 'length' }), 'the model reached the token limit', 'token_limit'],
    [reply(GOOD, { finish_reason: 'content_filter' }), 'the model declined to respond', 'unusable'],
    [
      reply('', { message: { content: JSON.stringify(GOOD), refusal: 'No bike lanes.' } }),
      'the model declined to respond',
      'unusable',
    ],
    [reply('The bike lanes are narrow'), 'the model gave no readable response', 'unusable'],
    [reply(' '), 'the model gave an empty response', 'unusable'],
    [say(200, 'bike lanes'), 'the model server’s response is not a chat completion', 'unusable'],
  ]
  for (const [answer, message, reason] of cases) {
    const reported: string[][] = []
    const onFallback = (...given: string[]) => reported.push(given)
    const { fallback } = await summarizerOf(await start(t, answer), { onFallback }).summarize(request())
    assert.deepEqual([fallback, reported], [reason, [[message, reason]]])
  }
})

test('selects sentences if the model does not respond in time', async (t) => {
  const fake = await start(t, () => {})
  const server = fake.client({ deadlineMs: 50 })
  const { method, fallback } = await summarizerOf(fake, { server }).summarize(request())
  assert.deepEqual([method, fallback], ['extractive', 'unavailable'])
})

test('a server that cannot be reached or reports an error is left to the job’s retries', async (t) => {
  for (const answer of [say(503, ''), say(500, ''), (response: ServerResponse) => response.destroy()])
    await assert.rejects(summarize(await start(t, answer)), { name: 'EngineFailure', code: 'unavailable' })
})

test('a server that rejects every format is misconfigured', async (t) => {
  const fake = await start(t, refuse('no'))
  await assert.rejects(summarize(fake), { code: 'misconfigured' })
  assert.equal(fake.asked.length, 3)
})
