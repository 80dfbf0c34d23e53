import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../test/support/properties.ts'
import { type ByteRange, byteRange, contentRange } from './byte-range.ts'

const whole: ByteRange = { kind: 'whole' }
const unsatisfiable: ByteRange = { kind: 'unsatisfiable' }
const part = (start: number, end: number): ByteRange => ({ kind: 'part', start, end })

type Case = [header: string | undefined, size: number, range: ByteRange]

const MALFORMED = [
  ...'bytes=20-10 bytes=0-1,5-6 bytes=0-,0-,0- bytes=- bytes= bytes bytes=1 bytes=--1 lines=0-1'.split(' '),
  ...'bytes=1.5-2 bytes=0x1-2 bytes=+1-2 bytes=1e1- bytes=١-٢'.split(' '),
]

const cases: Case[] = [
  [undefined, 100, whole],
  ['', 100, whole],
  ['bytes=0-', 100, part(0, 99)],
  ['bytes=0-0', 100, part(0, 0)],
  ['bytes=10-19', 100, part(10, 19)],
  ['bytes=99-', 100, part(99, 99)],
  ['bytes=90-500', 100, part(90, 99)],
  ['BYTES=1-2', 100, part(1, 2)],
  ['bytes= 1-2 ', 100, part(1, 2)],
  ['bytes=0000001-2', 100, part(1, 2)],
  ['bytes=-1', 100, part(99, 99)],
  ['bytes=-500', 100, part(0, 99)],
  ['bytes=-0', 100, unsatisfiable],
  ['bytes=100-', 100, unsatisfiable],
  ['bytes=100-200', 100, unsatisfiable],
  [`bytes=${'9'.repeat(400)}-`, 100, unsatisfiable],
  [`bytes=0-${'9'.repeat(400)}`, 100, part(0, 99)],
  ['bytes=0-', 0, unsatisfiable],
  ['bytes=-5', 0, whole],
  ...MALFORMED.map((header): Case => [header, 100, whole]),
  ['bytes 0-1', 100, whole],
  ['bytes=0-1\n', 100, whole],
]

for (const [header, size, range] of cases) {
  test(`${header?.slice(0, 30)} of ${size} bytes is ${JSON.stringify(range)}`, () => {
    assert.deepEqual(byteRange(header, size), range)
  })
}

test('a part always lies within the file, and starts and ends where it was asked to', () => {
  const position = fc.nat({ max: 200 })
  fc.assert(
    fc.property(position, position, position, (first, last, size) => {
      const range = byteRange(`bytes=${first}-${last}`, size)
      const expected =
        last < first ? whole : first >= size ? unsatisfiable : part(first, Math.min(last, size - 1))
      assert.deepEqual(range, expected)
    }),
  )
})

test('no header makes it throw or leave the file', () => {
  const header = fc.string({
    unit: fc.constantFrom('bytes=', '-', ',', '0', '7', '999', ' ', 'x'),
    maxLength: 8,
  })
  fc.assert(
    fc.property(header, fc.nat(), (text, size) => {
      const range = byteRange(text, size)
      assert.ok(range.kind !== 'part' || (0 <= range.start && range.start <= range.end && range.end < size))
    }),
  )
})

test('the response says which bytes it has, or how many there are', () => {
  assert.equal(contentRange(part(0, 9), 100), 'bytes 0-9/100')
  assert.equal(contentRange(unsatisfiable, 100), 'bytes */100')
  assert.equal(contentRange(whole, 100), null)
})
