/** STREAMINFO (RFC 9639) as decoders are given it: `fLaC`, a block's header, then 34 bytes. */
const INFO_AT = 8
const MAX_BLOCK_AT = INFO_AT + 2
const FRAME_SIZES_AT = INFO_AT + 4
const SHAPE_AT = INFO_AT + 12
const TOTAL_AT = INFO_AT + 14

/** Channels and bits per sample, as one number. */
export function flacShape(info: Buffer): number {
  return (info.readUInt16BE(SHAPE_AT) >> 4) & 0xff
}

/** For all of these in a row: room for the largest block, while frame sizes, length and digest (0: unknown) hold for none. */
export function jointFlacInfo(infos: Buffer[]): Buffer {
  const joint = Buffer.from(infos[0] ?? [])
  joint.writeUInt16BE(Math.min(...infos.map((info) => info.readUInt16BE(INFO_AT))), INFO_AT)
  joint.writeUInt16BE(Math.max(...infos.map((info) => info.readUInt16BE(MAX_BLOCK_AT))), MAX_BLOCK_AT)
  joint.fill(0, FRAME_SIZES_AT, FRAME_SIZES_AT + 6)
  joint[TOTAL_AT - 1] = (joint[TOTAL_AT - 1] ?? 0) & 0xf0
  return joint.fill(0, TOTAL_AT)
}
