import type { RestartPoint, RestartRule } from './restart-point.ts'

const CLUSTER = Buffer.from([0x1f, 0x43, 0xb6, 0x75])
const TIMESTAMP = 0xe7
const SIMPLE_BLOCK = 0xa3
/** A block header: track number, time (two bytes), flags. */
const BLOCK_HEADER_BYTES = 4
/** More of them do not follow each other by chance: each has 20 fixed bits. */
const CHAIN_LENGTH = 3
const MAX_BLOCK_BYTES = 2 ** 16

interface Block {
  /** The position after the block. */
  end: number
  track: number
  /** Milliseconds after the time of its cluster. */
  time: number
}

/**
 * A browser cuts its stream anywhere, often within the mark of a cluster. Blocks can be found without it: the time of their cluster
 * comes from the bytes before them, or from the next cluster.
 */
export const webmRestart: RestartRule = {
  container: 'webm',
  headerEnd(bytes) {
    const at = bytes.indexOf(CLUSTER)
    return at < 0 ? bytes.length : at
  },
  find(bytes) {
    const at = findChain(bytes)
    if (at === null) return null
    const first = blockAt(bytes, at) as Block
    const clusterMs = timestampBefore(bytes, at) ?? timeFromNextCluster(bytes, at)
    const startMs = clusterMs === null ? null : clusterMs + first.time
    return { at, startMs, before: clusterHead(clusterMs ?? 0) } satisfies RestartPoint
  },
  guessHeader: (bytes) => (findChain(bytes) === null ? null : OPUS_HEADER),
}

/** The first position at which blocks of one track follow each other, up to a cluster or the end of the bytes. */
function findChain(bytes: Buffer): number | null {
  for (let at = bytes.indexOf(SIMPLE_BLOCK); at >= 0; at = bytes.indexOf(SIMPLE_BLOCK, at + 1))
    if (isChain(bytes, at)) return at
  return null
}

function isChain(bytes: Buffer, from: number): boolean {
  let at = from
  let track: number | null = null
  for (let length = 0; length < CHAIN_LENGTH; length++) {
    if (length > 0 && isEndOrCluster(bytes, at)) return true
    const block = blockAt(bytes, at)
    if (!block || (track !== null && block.track !== track)) return false
    if (block.end > bytes.length) return length > 0
    ;({ track, end: at } = block)
  }
  return true
}

const isEndOrCluster = (bytes: Buffer, at: number): boolean =>
  at >= bytes.length || CLUSTER.subarray(0, bytes.length - at).equals(bytes.subarray(at, at + CLUSTER.length))

/** Null if no block without lacing begins here. Its end can be after that of the bytes. */
function blockAt(bytes: Buffer, at: number): Block | null {
  if (bytes[at] !== SIMPLE_BLOCK) return null
  const sizeBytes = Math.clz32(bytes[at + 1] ?? 0) - 23
  const start = at + 1 + sizeBytes
  if (sizeBytes > 4 || start + BLOCK_HEADER_BYTES > bytes.length) return null
  const size = bytes.readUIntBE(at + 1, sizeBytes) - 2 ** (7 * sizeBytes)
  const [track = 0, flags = 0] = [bytes[start], bytes[start + 3]]
  const isPlain = track > 0x80 && track < 0x90 && (flags & 0x7f) === 0
  if (!isPlain || size <= BLOCK_HEADER_BYTES || size > MAX_BLOCK_BYTES) return null
  return { end: start + size, track, time: bytes.readInt16BE(start + 1) }
}

/** The time of the cluster, if the element that holds it ends here. */
function timestampBefore(bytes: Buffer, end: number): number | null {
  for (let length = 1; length <= 6; length++) {
    const at = end - length - 2
    if (at >= 0 && bytes[at] === TIMESTAMP && bytes[at + 1] === 0x80 + length)
      return bytes.readUIntBE(at + 2, length)
  }
  return null
}

/** The next cluster begins where the last block of this one ends. */
function timeFromNextCluster(bytes: Buffer, from: number): number | null {
  let [at, time, step] = [from, 0, 0]
  for (let block = blockAt(bytes, at); block && block.end <= bytes.length; block = blockAt(bytes, at)) {
    if (at > from) step = block.time - time
    ;({ end: at, time } = block)
  }
  if (!bytes.subarray(at, at + CLUSTER.length).equals(CLUSTER)) return null
  const next = bytes.indexOf(SIMPLE_BLOCK, at)
  const nextMs = next < 0 ? null : timestampBefore(bytes, next)
  return nextMs === null ? null : Math.max(0, nextMs - time - step)
}

/** The end of the last complete block: mediabunny returns nothing of a cluster that ends within a block. */
export function endOfWholeBlocks(bytes: Buffer): number {
  let at = findChain(bytes) ?? bytes.length
  while (at < bytes.length) {
    const block = blockAt(bytes, at)
    if (block && block.end > bytes.length) return at
    const isCluster = isEndOrCluster(bytes, at)
    const next = block?.end ?? (isCluster ? bytes.indexOf(SIMPLE_BLOCK, at + CLUSTER.length) : -1)
    if (next < 0) return isCluster ? at : bytes.length
    at = next
  }
  return bytes.length
}

/** The beginning of a cluster of unknown size. */
function clusterHead(ms: number): Buffer {
  const time = Buffer.alloc(8)
  time.writeBigUInt64BE(BigInt(Math.round(ms)))
  return Buffer.concat([CLUSTER, UNKNOWN_SIZE, Buffer.from([TIMESTAMP, 0x88]), time])
}

const UNKNOWN_SIZE = Buffer.from('01ffffffffffffff', 'hex')

const element = (id: string, ...content: Buffer[]): Buffer => {
  const body = Buffer.concat(content)
  return Buffer.concat([Buffer.from(id, 'hex'), Buffer.from([0x40, body.length]), body])
}
const bytesOf = (hex: string): Buffer => Buffer.from(hex, 'hex')

/** One track with Opus, as browsers record it. Its packets state whether they are mono or stereo. */
const OPUS_HEADER = Buffer.concat([
  element('1a45dfa3', element('4282', Buffer.from('webm'))),
  bytesOf('18538067'),
  UNKNOWN_SIZE,
  element('1549a966', element('2ad7b1', bytesOf('0f4240'))),
  element(
    '1654ae6b',
    element(
      'ae',
      element('d7', bytesOf('01')),
      element('73c5', bytesOf('01')),
      element('83', bytesOf('02')),
      element('86', Buffer.from('A_OPUS')),
      element('63a2', Buffer.from('OpusHead'), bytesOf('0102000080bb0000000000')),
      element('e1', element('b5', bytesOf('473b8000')), element('9f', bytesOf('02'))),
    ),
  ),
])
