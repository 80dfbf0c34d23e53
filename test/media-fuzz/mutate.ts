import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Container } from '../../media/containers/container.ts'
import { makeWav } from '../../media/testing/fixtures.ts'
import { type Random, seededRandom } from '../chaos/framework/random.ts'

export interface MutatedFile {
  container: Container
  /** The intact file that it was made from. */
  source: string
  bytes: Buffer
}

const TONES = 'media/testing'
const SPEECH = 'speech/samples/containers'

/** Every container, in each layout that takes another path through a demuxer. Short files, so that a run is fast. */
const SOURCES: Record<Container, readonly string[]> = {
  webm: [`${TONES}/one.webm`, `${TONES}/live.webm`, `${SPEECH}/clip.webm`, `${SPEECH}/vorbis.webm`],
  mp4: [`${TONES}/tone.mp4`, `${TONES}/fragmented.mp4`, `${SPEECH}/fragmented.mp4`],
  ogg: [`${TONES}/tone.ogg`, `${SPEECH}/clip.ogg`],
  mp3: [`${TONES}/tone.mp3`, `${TONES}/bare.mp3`],
  flac: [`${TONES}/tone.flac`],
  wav: ['tone.wav'],
  aac: [`${TONES}/tone.aac`],
  aiff: [`${TONES}/tone.aiff`],
  caf: [`${TONES}/tone.caf`, `${TONES}/aac.caf`],
}
const CONTAINERS = Object.keys(SOURCES) as Container[]

export function sourceBytes(source: string): Buffer {
  if (source === 'tone.wav') return makeWav(0.5)
  return readFileSync(join(import.meta.dirname, '../..', source))
}

/** File number `n` of a seed: the same bytes each time. */
export function mutatedFile(seed: string, n: number): MutatedFile {
  const random = seededRandom(`${seed}/${n}`)
  // In turn, so that every part of a run contains every container.
  const container = CONTAINERS[n % CONTAINERS.length] as Container
  const source = random.pick(SOURCES[container])
  let bytes = sourceBytes(source)
  for (let rounds = random.integer(1, 4); rounds > 0; rounds--) bytes = random.pick(MUTATIONS)(bytes, random)
  return { container, source, bytes }
}

type Mutation = (bytes: Buffer, random: Random) => Buffer

/** Half of the damage is in the first bytes, which contain most of the structure. */
const positionIn = (bytes: Buffer, random: Random): number =>
  random.integer(0, Math.max(0, random.chance(0.5) ? Math.min(511, bytes.length - 1) : bytes.length - 1))

/** Lengths and counts that are likely to break parsers. */
const EDGES = '00 ff 7f 80 0000 ffff 00000000 00000001 7fffffff 80000000 ffffffff'.split(' ')

const MUTATIONS: readonly Mutation[] = [
  function flipBytes(bytes, random) {
    for (let count = random.integer(1, 20); count > 0 && bytes.length > 0; count--)
      bytes[positionIn(bytes, random)] = random.integer(0, 255)
    return bytes
  },
  function flipOneBit(bytes, random) {
    const at = positionIn(bytes, random)
    if (bytes.length > 0) bytes[at] = (bytes[at] as number) ^ (1 << random.integer(0, 7))
    return bytes
  },
  function writeEdgeValue(bytes, random) {
    Buffer.from(random.pick(EDGES), 'hex').copy(bytes, positionIn(bytes, random))
    return bytes
  },
  function truncate(bytes, random) {
    return bytes.subarray(0, random.integer(0, bytes.length))
  },
  function removeRange(bytes, random) {
    const at = positionIn(bytes, random)
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + random.integer(1, 400))])
  },
  function repeatRange(bytes, random) {
    const at = positionIn(bytes, random)
    const range = bytes.subarray(at, at + random.integer(1, 400))
    const times = random.integer(1, 20)
    return Buffer.concat([bytes.subarray(0, at), ...Array(times).fill(range), bytes.subarray(at)])
  },
  function fillRange(bytes, random) {
    const at = positionIn(bytes, random)
    return bytes.fill(
      random.pick([0x00, 0x41, 0xff]),
      at,
      Math.min(bytes.length, at + random.integer(1, 400)),
    )
  },
  function insertNoise(bytes, random) {
    const at = positionIn(bytes, random)
    const noise = Buffer.from(Array.from({ length: random.integer(1, 64) }, () => random.integer(0, 255)))
    return Buffer.concat([bytes.subarray(0, at), noise, bytes.subarray(at)])
  },
  function keepOnlyHeader(bytes, random) {
    const fill = Buffer.alloc(random.integer(0, 80), random.pick([0x00, 0x41, 0xff]))
    return Buffer.concat([bytes.subarray(0, positionIn(bytes.subarray(0, 512), random)), fill])
  },
  function spliceOtherFile(bytes, random) {
    const other = sourceBytes(random.pick(SOURCES[random.pick(CONTAINERS)]))
    const at = positionIn(other, random)
    const range = other.subarray(at, at + random.integer(1, 2_000))
    const cut = positionIn(bytes, random)
    return Buffer.concat([bytes.subarray(0, cut), range, bytes.subarray(cut)])
  },
]
