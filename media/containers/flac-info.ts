/** STREAMINFO (RFC 9639) as decoders expect it: `fLaC`, a block header, then 34 bytes. */
const INFO_AT = 8
const MAX_BLOCK_AT = INFO_AT + 2
const FRAME_SIZES_AT = INFO_AT + 4
const SHAPE_AT = INFO_AT + 12
const TOTAL_AT = INFO_AT + 14

/** Channels and bits per sample, as one number. */
export function flacShape(info: Buffer): number {
  return (info.readUInt16BE(SHAPE_AT) >> 4) & 0xff
}

/** The header for all of these streams together: the largest block; frame sizes, length and digest are unknown (0). */
export function joinedFlacInfo(infos: Buffer[]): Buffer {
  const joined = Buffer.from(infos[0] ?? [])
  joined.writeUInt16BE(Math.min(...infos.map((info) => info.readUInt16BE(INFO_AT))), INFO_AT)
  joined.writeUInt16BE(Math.max(...infos.map((info) => info.readUInt16BE(MAX_BLOCK_AT))), MAX_BLOCK_AT)
  joined.fill(0, FRAME_SIZES_AT, FRAME_SIZES_AT + 6)
  joined[TOTAL_AT - 1] = (joined[TOTAL_AT - 1] ?? 0) & 0xf0
  return joined.fill(0, TOTAL_AT)
}
