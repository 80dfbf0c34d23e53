import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateRawSync, gzipSync } from 'node:zlib'
import fc from '../../test/support/properties.ts'
import { fixture, makeWav } from '../testing/fixtures.ts'
import { CONTAINERS, type Container } from './container.ts'
import { SNIFF_BYTES, sniffContainer } from './sniff-container.ts'

const text = (value: string) => Buffer.from(value, 'latin1')
const hex = (value: string) => Buffer.from(value.replaceAll(' ', ''), 'hex')
const box = (type: string, body: Buffer) => Buffer.concat([uint32(body.length + 8), text(type), body])
const uint32 = (value: number) => hex(value.toString(16).padStart(8, '0'))
const wav = makeWav(0.01)
const id3 = (body: Buffer, version = 4) =>
  Buffer.concat([text('ID3'), Buffer.from([version, 0, 0, 0, 0, body.length >> 7, body.length & 127]), body])
const titleFrame = text('TIT2\0\0\0\x02\0\0\0a')

const audio: [what: string, bytes: Buffer, container: Container][] = [
  ['webm', fixture('one.webm'), 'webm'],
  ['webm as browsers record', fixture('live.webm'), 'webm'],
  ['webm with a short size', hex('1a45dfa3 87 4282 84 7765626d'), 'webm'],
  ['matroska', hex('1a45dfa3 8f 4286 81 01 4282 88 6d6174726f736b61'), 'webm'],
  ['ogg', fixture('tone.ogg'), 'ogg'],
  ['mp4', fixture('tone.mp4'), 'mp4'],
  ['mp4 in fragments', fixture('fragmented.mp4'), 'mp4'],
  ['m4a', box('ftyp', text('M4A \0\0\0\0isom')), 'mp4'],
  ['3gp', box('ftyp', text('3gp4\0\0\0\0')), 'mp4'],
  ['quicktime', box('ftyp', text('qt  \0\0\0\0qt  ')), 'mp4'],
  ['old quicktime', Buffer.concat([box('wide', Buffer.alloc(0)), box('mdat', Buffer.alloc(9))]), 'mp4'],
  ['older quicktime', box('moov', box('mvhd', Buffer.alloc(100))), 'mp4'],
  ['wav', wav, 'wav'],
  ['wav with a list first', text('RIFF\x30\0\0\0WAVELIST\x04\0\0\0'), 'wav'],
  ['wav beyond 4 GiB', text('RF64\xff\xff\xff\xffWAVEds64\x1c\0\0\0'), 'wav'],
  ['broadcast wav beyond 4 GiB', text('BW64\xff\xff\xff\xffWAVEds64\x1c\0\0\0'), 'wav'],
  ['mp3 with a tag', fixture('tone.mp3'), 'mp3'],
  ['mp3 without a tag', fixture('bare.mp3'), 'mp3'],
  [
    'mp3 whose tag exceeds the sniffed bytes',
    id3(Buffer.concat([titleFrame, Buffer.alloc(9_000)])).subarray(0, SNIFF_BYTES),
    'mp3',
  ],
  ['flac', fixture('tone.flac'), 'flac'],
  ['flac after a tag', Buffer.concat([id3(titleFrame), fixture('tone.flac')]), 'flac'],
  ['aac', fixture('tone.aac'), 'aac'],
  ['aac after a tag', Buffer.concat([id3(titleFrame, 3), fixture('tone.aac')]), 'aac'],
]

for (const [what, bytes, container] of audio) {
  test(`${what} is detected as ${container}`, () => {
    assert.equal(sniffContainer(bytes.subarray(0, SNIFF_BYTES)), container)
  })
}

const utf16 = (value: string) => Buffer.concat([hex('fffe'), Buffer.from(value, 'utf16le')])
const layer2 = Buffer.concat([hex('fffda004'), Buffer.alloc(518), hex('fffda004')])

const secondPage = fixture('tone.ogg').subarray(fixture('tone.ogg').indexOf('OggS', 1))

const others: [what: string, bytes: Buffer][] = [
  ['nothing', Buffer.alloc(0)],
  ['zeros', Buffer.alloc(SNIFF_BYTES)],
  ['ones', Buffer.alloc(SNIFF_BYTES, 0xff)],
  ['html', text('<!doctype html><title>audio/webm</title>')],
  ['text', text('RIFF is a word, WAVE another, and ID3 is none. '.repeat(9))],
  ['text in UTF-16', utf16('hello '.repeat(500))],
  ['json', text('{"container": "webm"}')],
  ['pdf', text('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj')],
  ['png', hex('89504e470d0a1a0a 0000000d 49484452 00000001 00000001 0806000000')],
  ['jpeg', hex('ffd8ffe0 00104a46 49460001 01000001 00010000 ffdb0043')],
  ['gif', text('GIF89a\x01\0\x01\0\x80\0\0')],
  ['zip', Buffer.concat([hex('504b0304 14000000 0800'), deflateRawSync(Buffer.alloc(999))])],
  ['gzip', gzipSync(Buffer.alloc(999))],
  ['a program', Buffer.concat([hex('7f454c46 02010100'), Buffer.alloc(99)])],
  ['an avi', text('RIFF\x30\0\0\0AVI LIST\x04\0\0\0')],
  ['a webp', text('RIFF\x30\0\0\0WEBPVP8 \x04\0\0\0')],
  ['a heic', box('ftyp', text('heic\0\0\0\0mif1heic'))],
  ['an avif', box('ftyp', text('avif\0\0\0\0mif1avif'))],
  ['a fragment without its beginning', box('moof', box('mfhd', Buffer.alloc(8)))],
  ['a slice of webm', fixture('live.webm').subarray(1_000)],
  ['another ebml document', hex('1a45dfa3 88 4282 85 6f74686572')],
  ['an ogg page from the middle', secondPage],
  ['a playlist', text('#EXTM3U\n#EXTINF:10,\nfile:///etc/passwd\n')],
  ['a list of files', text('ffconcat version 1.0\nfile /etc/passwd\n')],
  ['mpeg layer ii', layer2],
  [
    'one mp3 frame and then text',
    Buffer.concat([fixture('bare.mp3').subarray(0, 104), text('x'.repeat(400))]),
  ],
  [
    'an mp3 frame before one of a forbidden bit rate',
    Buffer.concat([hex('fffba004'), Buffer.alloc(518), hex('fffbf004')]),
  ],
  ['a tag before a picture', Buffer.concat([id3(titleFrame), hex('89504e470d0a1a0a')])],
  ['a tag with an unknown version', id3(Buffer.concat([titleFrame, fixture('bare.mp3')]), 9)],
  ['flac without a sample rate', Buffer.concat([text('fLaC\0\0\0\x22'), Buffer.alloc(40)])],
]

for (const [what, bytes] of others) {
  test(`${what} is not audio`, () => {
    assert.equal(sniffContainer(bytes), null)
  })
}

test('a truncated header is not audio', () => {
  const shortest: [name: string, bytes: number][] = [
    ['one.webm', 35],
    ['tone.ogg', 27],
    ['tone.mp4', 27],
    ['bare.mp3', 104],
    ['tone.flac', 41],
    ['tone.aac', 20],
  ]
  for (const [name, length] of shortest)
    for (let cut = 0; cut <= length; cut++)
      assert.equal(sniffContainer(fixture(name).subarray(0, cut)), null, name)
  for (let cut = 0; cut < 20; cut++) assert.equal(sniffContainer(wav.subarray(0, cut)), null)
})

test('random bytes are not audio', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 3_000 }), (bytes) => assert.equal(sniffContainer(bytes), null)),
    { numRuns: 2_000 },
  )
})

test('never throws on random bytes after a known beginning', () => {
  const beginning = fc
    .constantFrom(...audio.map(([, bytes]) => bytes))
    .chain((bytes) => fc.nat({ max: Math.min(bytes.length, 60) }).map((length) => bytes.subarray(0, length)))
  fc.assert(
    fc.property(beginning, fc.uint8Array({ maxLength: 200 }), (start, rest) => {
      const found = sniffContainer(Buffer.concat([start, rest]))
      assert.ok(found === null || CONTAINERS[found].contentType.startsWith('audio/'))
    }),
    { numRuns: 2_000 },
  )
})
