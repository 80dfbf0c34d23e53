import assert from 'node:assert/strict'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { Duplex } from 'node:stream'
import fc from 'fast-check'
import type { ResponseHead } from '../response/head.ts'
import { ResponseReader } from '../response/reader.ts'

/** The result of parsing some bytes that are followed by the end of the connection. */
export interface Reading {
  status: number | null
  fields: string[]
  body: string
  isComplete: boolean
  isReusable: boolean
  /** Pieces read before it ended. */
  pieces: number
}

export function read(pieces: Buffer[]): Reading {
  const heads: ResponseHead[] = []
  const ends: string[] = []
  const reading = { body: '', isComplete: false, isReusable: false, pieces: 0 }
  const reader = new ResponseReader({
    onHead: (head) => void heads.push(head),
    onBody: (part) => {
      assert.ok(part.length > 0)
      reading.body += part.toString('latin1')
    },
    onComplete: (isReusable) => {
      ends.push('complete')
      Object.assign(reading, { isComplete: true, isReusable })
    },
    onInvalid: (code) => ends.push(code),
  })
  for (const piece of pieces) {
    if (ends.length === 0) reading.pieces++
    reader.read(piece)
  }
  reader.onReceiverClosed()
  assert.equal(ends.length, 1, 'it ends once')
  const head = heads.find(({ status }) => status >= 200)
  return { ...reading, status: head?.status ?? null, fields: head?.fields ?? [] }
}

/** The same bytes parsed by Node's client (llhttp); null if they are invalid. */
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

/** Parses byte by byte. If the response is complete, Node's parser must agree. Returns whether it is complete. */
export async function agreesWithNode(bytes: Buffer): Promise<boolean> {
  const ours = read(Array.from(bytes, (byte) => Buffer.of(byte)))
  if (!ours.isComplete) return false
  const theirs = await readByNode(bytes.subarray(0, ours.pieces))
  assert.deepEqual(theirs, { status: ours.status, body: ours.body })
  return true
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
export const validResponses = fc
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

/** Parsers disagree about line ends, spaces, signs, numbers and bytes that are not text. */
const fragments = fc.constantFrom(
  '\r',
  '\n',
  '\r\n',
  '\r\n\r\n',
  ' ',
  '\t',
  ':',
  ';',
  ',',
  '\0',
  '\x0b',
  '\x7f',
  '\x80',
  '\xa0',
  '0',
  '1',
  'a',
  '-',
  '+',
  '0x1',
  'chunked',
  'Content-Length: 3\r\n',
  'Content-Length: 3, 3\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Transfer-Encoding: gzip, chunked\r\n',
  'Transfer-Encoding: chunked, gzip\r\n',
  'Transfer-Encoding: xchunked\r\n',
  'Connection: close\r\n',
  'HTTP/1.0 200 OK\r\n',
  ' folded\r\n',
)

/** Valid responses with up to three fragments inserted or overwritten. */
export const damagedResponses = fc
  .tuple(validResponses, fc.array(fc.tuple(fc.nat(), fc.nat(3), fragments), { maxLength: 3 }))
  .map(([{ text }, edits]) => {
    let damaged = text
    for (const [position, removed, fragment] of edits) {
      const at = position % (damaged.length + 1)
      damaged = damaged.slice(0, at) + fragment + damaged.slice(at + removed)
    }
    return Buffer.from(damaged, 'latin1')
  })
