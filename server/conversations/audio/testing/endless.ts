import { fixture } from './fixtures.ts'

/** An EBML header with document type `webm`, and a segment of unknown length. */
const HEAD = Buffer.from(
  '1a45dfa39f4286810142f7810142f2810442f381084282847765626d42878104428581021853806701ffffffffffffff',
  'hex',
)

/** Of `live.webm`: the length of its third cluster. */
const CLUSTER_SIZE_AT = 0x975

/** Files that made mediabunny 1.61.0 loop without end, one for each place in its code. */
export const ENDLESS: Record<'resync' | 'segment' | 'clusters', () => Buffer> = {
  resync: () => Buffer.concat([HEAD, Buffer.alloc(40, 'A')]),
  segment: () => Buffer.concat([HEAD, Buffer.from('1654ae6b', 'hex'), Buffer.alloc(61)]),
  clusters: () => {
    const bytes = fixture('live.webm')
    bytes[CLUSTER_SIZE_AT] = 0
    return bytes
  },
}
