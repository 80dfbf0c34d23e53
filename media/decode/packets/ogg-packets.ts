const MARK = Buffer.from('OggS')
const HEAD = 27
const LARGEST_PAGE = HEAD + 255 + 255 * 255

/** The Opus packets of an Ogg file, up to a truncated end: mediabunny drops a truncated page. Damaged pages are skipped. */
export async function* oggOpusPackets(blocks: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array> {
  const stream = new OpusStream()
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of blocks) {
    rest = Buffer.concat([rest, chunk])
    let at = rest.indexOf(MARK)
    for (; at >= 0 && rest.length - at >= LARGEST_PAGE; at = rest.indexOf(MARK, at + MARK.length))
      yield* stream.packetsOf(rest.subarray(at))
    rest = rest.subarray(at >= 0 ? at : Math.max(0, rest.length - MARK.length + 1))
  }
  for (let at = rest.indexOf(MARK); at >= 0; at = rest.indexOf(MARK, at + MARK.length))
    yield* stream.packetsOf(rest.subarray(at))
}

/** The first Opus stream of the file. Others, such as a video, have another serial number. */
class OpusStream {
  private serial: number | null = null
  /** The beginning of a packet that continues in the next page. */
  private begun: Buffer[] = []

  packetsOf(bytes: Buffer): Uint8Array[] {
    if (bytes.length < HEAD) return []
    const serial = bytes.readUInt32LE(14)
    const sizes = bytes.subarray(HEAD, HEAD + (bytes[26] ?? 0))
    const body = bytes.subarray(HEAD + sizes.length)
    if (this.serial === null && body.subarray(0, 8).toString() === 'OpusHead') this.serial = serial
    if (serial !== this.serial) return []
    const isContinued = ((bytes[5] ?? 0) & 1) === 1
    if (!isContinued) this.begun = []
    const packets = this.split(body, sizes).filter((packet) => !isHeader(packet))
    return packets.map((packet) => new Uint8Array(packet))
  }

  /** A segment of 255 bytes continues in the next; a shorter one ends its packet. */
  private split(body: Buffer, sizes: Uint8Array): Buffer[] {
    const packets: Buffer[] = []
    let at = 0
    for (const size of sizes) {
      if (at + size > body.length) return packets
      this.begun.push(body.subarray(at, at + size))
      at += size
      if (size === 255) continue
      packets.push(Buffer.concat(this.begun))
      this.begun = []
    }
    return packets
  }
}

const isHeader = (packet: Buffer): boolean =>
  /^Opus(Head|Tags)/.test(packet.subarray(0, 8).toString('latin1'))
