import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { after, test } from 'node:test'
import fc, { anyText } from '../../test/support/properties.ts'
import { centralDirectoryHeader, endOfCentralDirectory } from './records.ts'
import { type SizedStream, streamZip, type ZipEntry } from './zip.ts'

const folder = await mkdtemp(join(tmpdir(), 'parley-zip-'))
after(() => rm(folder, { recursive: true, force: true }))

const AT = '2026-03-04T05:06:08.000Z'

/** Names, dates and SHA-256 of each file as Python's zipfile reads them, which checks every checksum. One line per zip. */
const READER = `
import hashlib, json, sys, zipfile
for path in sys.stdin:
    with zipfile.ZipFile(path.rstrip("\\n")) as zip:
        files = [[i.filename, list(i.date_time), hashlib.sha256(zip.read(i)).hexdigest()] for i in zip.infolist()]
    print(json.dumps(files), flush=True)
`

type Read = [name: string, date: number[], digest: string]

let last = 0
async function writeZip(entries: ZipEntry[]): Promise<string> {
  const path = join(folder, `${++last}.zip`)
  const each = async function* () {
    yield* entries
  }
  await pipeline(streamZip(each()), createWriteStream(path))
  return path
}

const python = spawn('python3', ['-c', READER], { stdio: ['pipe', 'pipe', 'inherit'] })
after(() => python.stdin.end())
const listings = createInterface(python.stdout)[Symbol.asyncIterator]()

async function readZip(path: string): Promise<Read[]> {
  python.stdin.write(`${path}\n`)
  const { value, done } = await listings.next()
  assert.ok(!done, 'Python could not read the zip')
  return JSON.parse(value)
}

const streamOf = (parts: Buffer[]): SizedStream => ({
  bytes: parts.reduce((sum, { length }) => sum + length, 0),
  stream: Readable.from(parts),
})

const digestOf = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex')

test('another reader finds texts and streams with their names and dates', async () => {
  const audio = randomBytes(300_000)
  const path = await writeZip([
    { path: 'a/text.txt', at: AT, content: 'text '.repeat(10_000) },
    { path: 'a/🎙 日本.webm', at: AT, content: streamOf([audio.subarray(0, 7), audio.subarray(7)]) },
    { path: 'empty.txt', at: AT, content: '' },
    { path: 'silence', at: AT, content: streamOf([]) },
    { path: 'old', at: '0050-01-01T00:00:00.000Z', content: 'x' },
    { path: 'late', at: '9999-01-01T00:00:00.000Z', content: 'x' },
  ])
  const date = [2026, 3, 4, 5, 6, 8]
  assert.deepEqual(await readZip(path), [
    ['a/text.txt', date, digestOf('text '.repeat(10_000))],
    ['a/🎙 日本.webm', date, digestOf(audio)],
    ['empty.txt', date, digestOf('')],
    ['silence', date, digestOf('')],
    ['old', [1980, 1, 1, 0, 0, 0], digestOf('x')],
    ['late', [2107, 12, 31, 23, 59, 58], digestOf('x')],
  ])
})

test('makes a valid zip without files', async () => {
  assert.deepEqual(await readZip(await writeZip([])), [])
})

test('stores any bytes in any chunk sizes', async () => {
  const part = fc
    .tuple(fc.nat({ max: 200_000 }), fc.uint8Array({ minLength: 1, maxLength: 7 }))
    .map(([length, repeated]) => Buffer.alloc(length, repeated))
  const content = fc.oneof(anyText(500), fc.array(part, { maxLength: 3 }))
  await fc.assert(
    fc.asyncProperty(fc.array(content, { maxLength: 8 }), async (contents) => {
      const path = await writeZip(
        contents.map((each, n) => ({
          path: `${n}`,
          at: AT,
          content: typeof each === 'string' ? each : streamOf(each.filter(({ length }) => length > 0)),
        })),
      )
      const expected = contents.map((each) => digestOf(typeof each === 'string' ? each : Buffer.concat(each)))
      assert.deepEqual(
        (await readZip(path)).map(([, , digest]) => digest),
        expected,
      )
    }),
    { numRuns: 20 },
  )
})

test('lists more than 65,535 files', async () => {
  const entries = Array.from({ length: 70_000 }, (_, n) => ({ path: `f/${n}`, at: AT, content: '' }))
  const read = await readZip(await writeZip(entries))
  assert.equal(read.length, 70_000)
  assert.equal(read.at(-1)?.[0], 'f/69999')
})

test('uses ZIP64 offsets beyond 4 GiB', () => {
  const file = {
    name: Buffer.from('x'),
    modifiedAt: new Date(AT),
    flags: 0,
    crc: 1,
    packedBytes: 5,
    bytes: 2 ** 33,
    offset: 2 ** 34,
  }
  const line = centralDirectoryHeader(file)
  assert.deepEqual(
    [line.readUInt32LE(20), line.readUInt32LE(24), line.readUInt32LE(42)],
    [5, 0xffffffff, 0xffffffff],
  )
  // Those alone that are too large, in their order.
  assert.deepEqual(
    [line.readUInt16LE(47), line.readUInt16LE(49), line.readBigUInt64LE(51), line.readBigUInt64LE(59)],
    [1, 16, 2n ** 33n, 2n ** 34n],
  )
  const end = endOfCentralDirectory(3, 100, 2 ** 35)
  assert.equal(end.readBigUInt64LE(48), 2n ** 35n)
  assert.equal(end.readBigUInt64LE(64), 2n ** 35n + 100n, 'where the larger end stands')
})

test('closes its files when reading stops', async () => {
  const path = join(folder, 'long')
  await writeFile(path, Buffer.alloc(1_000_000))
  for (const parts of [0, 1, 5]) {
    const stream = createReadStream(path)
    const each = async function* () {
      yield { path: 'long', at: AT, content: { bytes: 1_000_000, stream } }
    }
    const zip = streamZip(each())
    for (let n = 0; n < parts; n++) await zip.next()
    await zip.return(undefined)
    if (parts > 0) assert.equal(stream.destroyed, true, `after ${parts} parts`)
    else stream.destroy()
  }
})

test('fails if a stream fails or has another length than announced', async () => {
  async function* half() {
    yield Buffer.from('half')
    throw new Error('the disk is broken')
  }
  const zipOf = (stream: Readable) => writeZip([{ path: 'x', at: AT, content: { bytes: 8, stream } }])
  await assert.rejects(zipOf(Readable.from(half())), /the disk is broken/)
  await assert.rejects(zipOf(Readable.from([Buffer.from('short')])), /size of a file changed/)
})

test('uses ZIP64 for a file of 4 GiB and the files after it', async () => {
  const bytes = 2 ** 32
  const part = Buffer.alloc(2 ** 24, 'x')
  const each = async function* () {
    const parts = async function* () {
      for (let n = 0; n < bytes / part.length; n++) yield part
    }
    yield { path: 'large', at: AT, content: { bytes, stream: Readable.from(parts()) } }
    yield { path: 'behind', at: AT, content: 'it' }
  }
  // Only what surrounds the bytes: 4 GiB on a disk would say no more.
  let offset = 0
  const rest: Buffer[] = []
  for await (const buffer of streamZip(each())) {
    offset += buffer.length
    if (buffer.length < 60_000) rest.push(buffer)
  }
  assert.ok(offset > bytes)
  const records = Buffer.concat(rest.slice(-8))
  const sizes = records.indexOf('PK\x07\x08')
  assert.equal(records.readBigUInt64LE(sizes + 16), BigInt(bytes))
  assert.ok(records.includes('PK\x06\x06'), 'its end has the larger numbers')
})
