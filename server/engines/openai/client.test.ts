import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type ModelHandler,
  say,
  start,
  startFakeModel,
} from '../../summaries/engines/openai/testing/fake-model.ts'
import { EngineFailure } from '../engine-failure.ts'
import { createModelServer, type ModelServer } from './client.ts'

const never = new AbortController().signal
const SAID = 'what somebody said in confidence'

const ask = (server: ModelServer, signal = never) => server.post('/chat/completions', { text: SAID }, signal)

async function failure(promise: Promise<unknown>): Promise<EngineFailure> {
  const error = await promise.then(
    () => assert.fail('it did not fail'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof EngineFailure, String(error))
  assert.ok(!error.message.includes(SAID) && !error.message.includes('the-key'), error.message)
  return error
}

test('sends a request to the base address with the key, and returns the response', async (t) => {
  const fake = await start(t, say(200, { fine: true }, { 'content-type': 'Application/JSON; charset=utf-8' }))
  const response = await ask(fake.client({ baseUrl: `${fake.url}//` }))
  assert.deepEqual(response, { ok: true, contentType: 'application/json', text: '{"fine":true}' })
  const [asked] = fake.asked
  assert.equal(asked?.path, '/v1/chat/completions')
  assert.equal(asked?.headers.authorization, 'Bearer the-key')
})

test('sends no authorization without a key', async (t) => {
  const fake = await start(t, say(200, {}))
  await ask(fake.client({ key: null }))
  assert.equal(fake.asked[0]?.headers.authorization, undefined)
})

test('classifies each status, and reports error codes only', async (t) => {
  const leaking = (code: unknown) => ({ error: { message: `${SAID} the-key`, type: 'some_type', code } })
  const cases: [status: number, body: unknown, code: EngineFailure['code'], words: string][] = [
    [401, leaking('invalid_api_key'), 'misconfigured', ' (invalid_api_key, some_type)'],
    [403, leaking('the-key'), 'misconfigured', ' (some_type)'],
    [404, { detail: `Model ${SAID} not installed` }, 'misconfigured', ''],
    [402, '', 'misconfigured', ''],
    [400, leaking('model_not_found'), 'misconfigured', ' (model_not_found, some_type)'],
    [429, leaking('insufficient_quota'), 'misconfigured', ' (insufficient_quota, some_type)'],
    [429, { error: { type: 'insufficient_quota' } }, 'misconfigured', ' (insufficient_quota)'],
    [429, leaking('rate_limit_exceeded'), 'unavailable', ' (rate_limit_exceeded, some_type)'],
    [500, `<html>${SAID}</html>`, 'unavailable', ''],
    [503, { error: { code: 503, type: 'unavailable_error' } }, 'unavailable', ' (unavailable_error)'],
    [502, { error: SAID }, 'unavailable', ''],
    [301, '', 'misconfigured', ''],
    [418, '[1, null, {"error": {"code": {}}}]', 'misconfigured', ''],
  ]
  for (const [status, body, code, words] of cases) {
    const fake = await start(t, say(status, body))
    const error = await failure(ask(fake.client()))
    assert.deepEqual([error.code, error.message], [code, `the model server responded with ${status}${words}`])
  }
})

test('returns a rejected request with its codes and a search in its text', async (t) => {
  for (const status of [400, 413, 415, 422]) {
    const error = { message: 'no response_format', code: 'invalid_value' }
    const fake = await start(t, say(status, { error }))
    const response = await ask(fake.client())
    assert.ok(!response.ok)
    assert.deepEqual([response.status, response.codes], [status, ['invalid_value']])
    assert.ok(response.mentions(/response_format/) && !response.mentions(/max_tokens/))
  }
})

test('does not follow redirects, which would leak the key and the transcript', async (t) => {
  const other = await start(t, say(200, {}))
  const fake = await start(t, say(307, '', { location: `${other.url}/chat/completions` }))
  assert.equal((await failure(ask(fake.client()))).code, 'misconfigured')
  assert.equal(other.asked.length, 0)
})

test('retries after a server error, and returns the later response', async (t) => {
  const fake = await start(t, say(503, ''), (response) => response.destroy(), say(200, {}))
  assert.ok((await ask(fake.client({ attempts: 3, random: () => 0.99 }))).ok)
  assert.equal(fake.asked.length, 3)
})

test('x-should-retry takes precedence over the status', async (t) => {
  const not = await start(t, say(500, '', { 'x-should-retry': 'false' }))
  assert.equal((await failure(ask(not.client({ attempts: 3 })))).code, 'unavailable')
  assert.equal(not.asked.length, 1)
  const so = await start(t, say(400, '', { 'x-should-retry': 'true' }), say(200, {}))
  assert.ok((await ask(so.client({ attempts: 2 }))).ok)
})

test('leaves a long wait to the job queue', async (t) => {
  const now = Date.parse('2026-02-03T12:00:00Z')
  for (const header of ['120', 'Tue, 03 Feb 2026 12:02:00 GMT']) {
    const fake = await start(t, say(429, '', { 'retry-after': header }))
    const error = await failure(ask(fake.client({ attempts: 3, clock: { now: () => now } })))
    assert.deepEqual([error.code, error.retryAfterMs, fake.asked.length], ['unavailable', 120_000, 1])
  }
})

test('gives up on a server that hangs before the headers or within the body, at the deadline', async (t) => {
  const half: ModelHandler = (response) =>
    response.writeHead(200, { 'content-length': '100' }).write('{"choices"')
  for (const handler of [() => {}, half] as ModelHandler[]) {
    const fake = await start(t, handler)
    const error = await failure(ask(fake.client({ deadlineMs: 100 })))
    assert.deepEqual([error.code, error.message], ['unavailable', 'the model server did not respond in time'])
  }
})

test('a server that dies or cannot be reached is unavailable', async (t) => {
  const fake = await start(t, (response) => {
    response.writeHead(200, { 'content-length': '100' }).write('{"choices"', () => response.destroy())
  })
  assert.equal((await failure(ask(fake.client()))).code, 'unavailable')
  const gone = await startFakeModel(say(200, {}))
  await gone.close()
  const server = createModelServer({ baseUrl: gone.url, key: null, attempts: 1 })
  assert.equal((await failure(ask(server))).message, 'the model server could not be reached (ECONNREFUSED)')
  await server.close()
})

test('stops reading an endless response', async (t) => {
  const fake = await start(t, (response) => {
    const pump = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536, 'a')));
    }
    response.on('drain', pump)
    pump()
  })
  const error = await failure(ask(fake.client({ maxResponseBytes: 1_000_000 })))
  assert.equal(error.message, 'the model server’s response is too large')
})

test('an abort rejects with its reason and closes the connection', async (t) => {
  const stop = new AbortController()
  const left = Promise.withResolvers<void>()
  const fake = await start(t, (response) => {
    response.on('close', left.resolve)
    stop.abort(new Error('not wanted any more'))
  })
  await assert.rejects(ask(fake.client({ attempts: 3 }), stop.signal), { message: 'not wanted any more' })
  await left.promise
  assert.equal(fake.asked.length, 1)
})

test('an abort between two attempts rejects with its reason', async (t) => {
  const stop = new AbortController()
  const fake = await start(t, say(503, ''))
  // The jitter is computed just before the wait.
  const random = () => {
    setImmediate(() => stop.abort(new Error('not wanted any more')))
    return 0
  }
  await assert.rejects(ask(fake.client({ attempts: 3, random }), stop.signal), {
    message: 'not wanted any more',
  })
  assert.equal(fake.asked.length, 1)
})

test('a malformed key is misconfigured, and is not logged', async (t) => {
  const fake = await start(t, say(200, {}))
  const error = await failure(ask(fake.client({ key: 'the-key\nwith a second line' })))
  assert.equal(error.code, 'misconfigured')
})

test('stops calling the server after five failures in a row', async (t) => {
  const fake = await start(t, say(500, ''))
  const server = fake.client()
  for (let n = 0; n < 5; n++) await failure(ask(server))
  const error = await failure(ask(server))
  assert.equal(error.message, 'the model server failed repeatedly and is not called for now')
  assert.ok((error.retryAfterMs ?? 0) > 0)
  assert.equal(fake.asked.length, 5)
})

test('can be closed twice', async () => {
  const server = createModelServer({ baseUrl: 'http://127.0.0.1:1/v1', key: null })
  await server.close()
  await server.close()
})
