const MARK = Buffer.from('OggS')
const HEAD_BYTES = 27
const [SERIAL_AT, NUMBER_AT, CHECKSUM_AT, COUNT_AT] = [14, 18, 22, 26]
const FIRST_PAGE = 2
const OPUS_RATE = 48_000

/** RFC 7845: the two pages before the audio. Without the pre-skip, which only the lost page stated. */
export function opusOggHeader(serial: number, channels: number): Buffer {
  const head = Buffer.alloc(19)
  head.write('OpusHead')
  head[8] = 1
  head[9] = channels
  head.writeUInt32LE(OPUS_RATE, 12)
  const tags = Buffer.concat([Buffer.from('OpusTags'), Buffer.alloc(8)])
  return Buffer.concat([pageOf(serial, 0, head), pageOf(serial, 1, tags)])
}

function pageOf(serial: number, number: number, packet: Buffer): Buffer {
  const page = Buffer.concat([Buffer.alloc(HEAD_BYTES), Buffer.from([packet.length]), packet])
  MARK.copy(page)
  page[5] = number === 0 ? FIRST_PAGE : 0
  page.writeUInt32LE(serial, SERIAL_AT)
  page.writeUInt32LE(number, NUMBER_AT)
  page[COUNT_AT] = 1
  return withChecksum(page)
}

/** The pages of a header as part of another stream. */
export function withSerial(header: Buffer, serial: number): Buffer {
  const copy = Buffer.from(header)
  for (let at = 0; at + HEAD_BYTES <= copy.length && copy.subarray(at, at + 4).equals(MARK); ) {
    const sizes = copy.subarray(at + HEAD_BYTES, at + HEAD_BYTES + (copy[at + COUNT_AT] ?? 0))
    const end = sizes.reduce((sum, size) => sum + size, at + HEAD_BYTES + sizes.length)
    copy.writeUInt32LE(serial, at + SERIAL_AT)
    withChecksum(copy.subarray(at, end))
    at = end
  }
  return copy
}

const POLYNOMIAL = 0x04c11db7

/** RFC 3533: the page with its CRC, which is computed with zeros in its place. */
function withChecksum(page: Buffer): Buffer {
  page.writeUInt32LE(0, CHECKSUM_AT)
  let crc = 0
  for (const byte of page) {
    crc ^= byte << 24
    for (let bit = 0; bit < 8; bit++) crc = crc < 0 ? (crc << 1) ^ POLYNOMIAL : crc << 1
  }
  page.writeUInt32LE(crc >>> 0, CHECKSUM_AT)
  return page
}
