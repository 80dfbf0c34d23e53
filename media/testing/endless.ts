import { fixture } from './fixtures.ts'

/** An EBML header with document type `webm`, and a segment of unknown length. */
const HEAD = Buffer.from(
  '1a45dfa39f4286810142f7810142f2810442f381084282847765626d42878104428581021853806701ffffffffffffff',
  'hex',
)

/** Where `live.webm` states the length of its third cluster. */
const CLUSTER_SIZE_AT = 0x975

/** The byte of an ADTS frame with the middle bits of its length. Its neighbours have the first and the last bits. */
const LENGTH_AT = 4
const FIFTH_FRAME_AT = 368

/** Files that make the unpatched mediabunny 1.61.0 loop, one for each place in its code. */
export const ENDLESS: Record<'resync' | 'segment' | 'clusters' | 'adts', () => Buffer> = {
  resync: () => Buffer.concat([HEAD, Buffer.alloc(40, 'A')]),
  segment: () => Buffer.concat([HEAD, Buffer.from('1654ae6b', 'hex'), Buffer.alloc(61)]),
  clusters: () => {
    const bytes = fixture('live.webm')
    bytes[CLUSTER_SIZE_AT] = 0
    return bytes
  },
  adts: () => {
    const bytes = fixture('tone.aac')
    const at = FIFTH_FRAME_AT + LENGTH_AT
    bytes.writeUIntBE(bytes.readUIntBE(at - 1, 3) & 0xfc001f, at - 1, 3)
    return bytes
  },
}
