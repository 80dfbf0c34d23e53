/** The beginning of a recording that is not decoded. */
export interface SkipRange {
  /** Seconds; nothing after it is skipped. */
  readonly until: number
  /** Seconds that were skipped, in whole packets. */
  skipped: number
}

/** Skips packets that end before `range.until`, without decoding them. */
export async function* skipPackets(
  packets: AsyncIterable<Uint8Array>,
  range: SkipRange,
  secondsOf: (packet: Uint8Array) => number,
): AsyncGenerator<Uint8Array> {
  let isBefore = true
  for await (const packet of packets) {
    const end = range.skipped + secondsOf(packet)
    isBefore &&= end <= range.until
    if (isBefore) range.skipped = end
    else yield packet
  }
}
