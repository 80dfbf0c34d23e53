import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../test/support/properties.ts'
import { agreesWithNode, damagedResponses, type Reading, read, validResponses } from '../testing/responses.ts'

const readText = (text: string): Reading => read([Buffer.from(text, 'latin1')])

test('parses a response the same whatever pieces it arrives in', () => {
  fc.assert(
    fc.property(validResponses, fc.array(fc.integer({ min: 1, max: 40 })), ({ text, ...given }, sizes) => {
      const bytes = Buffer.from(text, 'latin1')
      const pieces: Buffer[] = []
      let at = 0
      for (const size of sizes) {
        if (at < bytes.length) pieces.push(bytes.subarray(at, at + size))
        at += size
      }
      if (at < bytes.length) pieces.push(bytes.subarray(at))
      const reading = read(pieces)
      assert.deepEqual(reading, { ...read([bytes]), pieces: pieces.length })
      assert.deepEqual([reading.status, reading.body, reading.isComplete], [given.status, given.body, true])
      assert.equal(reading.isReusable, given.framing !== 'until_close')
    }),
    { numRuns: 500 },
  )
})

test('Node’s parser agrees with every response that is parsed as complete', async () => {
  const seen = { whole: 0, broken: 0 }
  await fc.assert(
    fc.asyncProperty(damagedResponses, async (bytes) => {
      seen[(await agreesWithNode(bytes)) ? 'whole' : 'broken']++
    }),
    { numRuns: 3_000 },
  )
  assert.ok(seen.whole > 300 && seen.broken > 300, JSON.stringify(seen))
})

test('knows after which responses a connection can be reused', () => {
  const cases: [text: string, isReusable: boolean][] = [
    ['HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok', true],
    ['HTTP/1.1 204 No Content\r\n\r\n', true],
    ['HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n', true],
    ['\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok', true],
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n', true],
    ['HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nok', true],
    ['HTTP/1.1 200 OK\r\nConnection: x, Close\r\nContent-Length: 2\r\n\r\nok', false],
    ['HTTP/1.1 200 OK\r\nConnection: x\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok', false],
    ['HTTP/1.1 200 OK\r\nConnection:\tclose\r\nContent-Length: 2\r\n\r\nok', false],
    ['HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok', false],
    ['HTTP/1.1 200 OK\r\n\r\nok', false],
    ['HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\n', false],
    ['HTTP/1.1 204 No Content\r\n\r\nbody', false],
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nx', false],
  ]
  for (const [text, isReusable] of cases) {
    const reading = readText(text)
    assert.deepEqual([reading.isComplete, reading.isReusable], [true, isReusable], text)
  }
})

test('refuses ambiguous responses', () => {
  const lengths = [' : 2', ': +2', ': 0x2', ': 2,2', ': \xa02', ':', ': 9999999999999999']
  const fields = ['Content-Length: 2', 'Transfer-Encoding: chunked', 'x: a\r\n b', 'x: a\0b', 'no colon']
  const statusLines = ['1.1 200 O\0K', '1.1  200 OK', '1.2 200 OK'].map((line) => `HTTP/${line}\r\n`)
  const heads = [
    ...lengths.map((length) => `HTTP/1.1 200 OK\r\nContent-Length${length}\r\n\r\nok`),
    ...fields.map((field) => `HTTP/1.1 200 OK\r\n${field}\r\nContent-Length: 2\r\n\r\nok`),
    ...[...statusLines, 'HTTP/1.1 200 OK\n', 'http/1.1 200 OK\r\n'].map(
      (line) => `${line}Content-Length: 2\r\n\r\nok`,
    ),
  ]
  for (const text of heads) assert.deepEqual(readText(text).status, null, text)
  const chunks = ['-1', '+1\r\na', ' 1\r\na', '1\na', '1\r\nab\r\n0\r\n', 'fffffffff', '']
  for (const text of chunks) {
    const { isComplete: isWhole } = readText(
      `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${text}\r\n`,
    )
    assert.equal(isWhole, false, text)
  }
})
