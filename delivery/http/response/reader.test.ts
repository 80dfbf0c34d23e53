import assert from 'node:assert/strict'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { Duplex } from 'node:stream'
import { test } from 'node:test'
import fc from '../../../test/support/properties.ts'
import type { ResponseHead } from './head.ts'
import { ResponseReader } from './reader.ts'

/** The result of some bytes, and then the end of the connection. */
interface Reading {
  status: number | null
  fields: string[]
  body: string
  isWhole: boolean
  isReusable: boolean
  /** Pieces read before it ended. */
  pieces: number
}

function read(pieces: Buffer[]): Reading {
  const heads: ResponseHead[] = []
  const ends: string[] = []
  const reading = { body: '', isWhole: false, isReusable: false, pieces: 0 }
  const reader = new ResponseReader({
    onHead: (head) => void heads.push(head),
    onBody: (part) => {
      assert.ok(part.length > 0)
      reading.body += part.toString('latin1')
    },
    onWhole: (isReusable) => {
      ends.push('whole')
      Object.assign(reading, { isWhole: true, isReusable })
    },
    onBroken: (code) => ends.push(code),
  })
  for (const piece of pieces) {
    if (ends.length === 0) reading.pieces++
    reader.read(piece)
  }
  reader.close()
  assert.equal(ends.length, 1, 'it ends once')
  const head = heads.find(({ status }) => status >= 200)
  return { ...reading, status: head?.status ?? null, fields: head?.fields ?? [] }
}

const readText = (text: string): Reading => read([Buffer.from(text, 'latin1')])

/** The same bytes parsed by Node's client (llhttp). Null: invalid. */
function readByNode(bytes: Buffer): Promise<{ status: number; body: string } | null> {
  return new Promise((resolve) => {
    const wire = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() })
    wire.push(bytes)
    wire.push(null)
    const request = httpRequest({ method: 'POST', createConnection: () => wire })
    request.on('error', () => resolve(null))
    request.on('upgrade', () => resolve(null))
    request.on('response', (response: IncomingMessage) => {
      let body = ''
      response.setEncoding('latin1')
      response.on('data', (part: string) => {
        body += part
      })
      response.on('error', () => resolve(null))
      response.on('close', () =>
        resolve(response.complete ? { status: response.statusCode ?? 0, body } : null),
      )
    })
    request.end()
  })
}

const bodies = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes).toString('latin1'))

const names = fc.stringMatching(/^[xX]-[a-zA-Z0-9!#$%&'*+.^_`|~-]{1,12}$/)
const values = fc.stringMatching(/^[!-~\xa0-\xff]([ \t!-~\xa0-\xff]{0,20}[!-~\xa0-\xff])?$/)
const headers = fc.array(
  fc.tuple(names, values).map(([name, value]) => `${name}:${' '.repeat(value.length % 3)}${value}`),
  { maxLength: 5 },
)

const chunked = (body: string, sizes: number[]): string => {
  let [text, at] = ['', 0]
  for (const size of sizes) {
    const part = body.slice(at, at + size)
    if (part !== '') text += `${part.length.toString(16)}${size % 2 ? ';x=y' : ''}\r\n${part}\r\n`
    at += size
  }
  const rest = body.slice(at)
  if (rest !== '') text += `${rest.length.toString(16).toUpperCase()}\r\n${rest}\r\n`
  return `${text}0\r\n${sizes.length % 2 ? 'x: y\r\n' : ''}\r\n`
}

/** A valid response, in each of the three framings. */
const responses = fc
  .record({
    status: fc.integer({ min: 200, max: 599 }).filter((status) => status !== 204 && status !== 304),
    headers,
    body: bodies,
    sizes: fc.array(fc.integer({ min: 1, max: 200 }), { maxLength: 4 }),
    framing: fc.constantFrom('sized', 'chunked', 'until_close'),
    interim: fc.nat(2),
  })
  .map(({ status, headers: given, body, sizes, framing, interim }) => {
    const frame = { sized: [`Content-Length: ${body.length}`], chunked: ['Transfer-Encoding: chunked'] }
    const lines = [`HTTP/1.1 ${status} x`, ...given, ...(frame[framing as keyof typeof frame] ?? []), '', '']
    const text = lines.join('\r\n') + (framing === 'chunked' ? chunked(body, sizes) : body)
    return {
      text: 'HTTP/1.1 103 Early Hints\r\nlink: a\r\n\r\n'.repeat(interim) + text,
      status,
      body,
      framing,
    }
  })

test('parses a response the same whatever pieces it arrives in', () => {
  fc.assert(
    fc.property(responses, fc.array(fc.integer({ min: 1, max: 40 })), ({ text, ...given }, sizes) => {
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
      assert.deepEqual([reading.status, reading.body, reading.isWhole], [given.status, given.body, true])
      assert.equal(reading.isReusable, given.framing !== 'until_close')
    }),
    { numRuns: 500 },
  )
})

/** Parsers disagree about line ends, spaces, signs, numbers and bytes that are not text. */
const splinters = fc.constantFrom(
  ...'\r \n \t : ; , \0 \x0b \x7f \x80 \xa0 0 1 a - + 0x1 chunked \r\n \r\n\r\n'.split(' '),
  ...' | folded\r\n|HTTP/1.0 200 OK\r\n|Connection: close\r\n'.split('|'),
  ...['3', '3, 3'].map((length) => `Content-Length: ${length}\r\n`),
  ...['chunked', 'gzip, chunked', 'chunked, gzip', 'xchunked'].map(
    (coding) => `Transfer-Encoding: ${coding}\r\n`,
  ),
)

test('Node’s parser agrees with every response that is parsed as complete', async () => {
  const mutated = fc
    .tuple(responses, fc.array(fc.tuple(fc.nat(), fc.nat(3), splinters), { maxLength: 3 }))
    .map(([{ text }, wounds]) => {
      let wounded = text
      for (const [position, removed, splinter] of wounds) {
        const at = position % (wounded.length + 1)
        wounded = wounded.slice(0, at) + splinter + wounded.slice(at + removed)
      }
      return Buffer.from(wounded, 'latin1')
    })
  const seen = { whole: 0, broken: 0 }
  await fc.assert(
    fc.asyncProperty(mutated, async (bytes) => {
      const ours = read(Array.from(bytes, (byte) => Buffer.of(byte)))
      seen[ours.isWhole ? 'whole' : 'broken']++
      if (!ours.isWhole) return
      const theirs = await readByNode(bytes.subarray(0, ours.pieces))
      assert.deepEqual(theirs, { status: ours.status, body: ours.body })
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
    assert.deepEqual([reading.isWhole, reading.isReusable], [true, isReusable], text)
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
    const { isWhole } = readText(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${text}\r\n`)
    assert.equal(isWhole, false, text)
  }
})
