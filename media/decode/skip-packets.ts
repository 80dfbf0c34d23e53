/** What of a recording need not be decoded. */
export interface Step {
  /** Up to here at most, in seconds. */
  readonly until: number
  /** How far it was stepped over: in whole packets. */
  done: number
}

/** Leaves out packets that end before `step.until`, without decoding them. */
export async function* stepOver(
  packets: AsyncIterable<Uint8Array>,
  step: Step,
  secondsOf: (packet: Uint8Array) => number,
): AsyncGenerator<Uint8Array> {
  let isBefore = true
  for await (const packet of packets) {
    const end = step.done + secondsOf(packet)
    isBefore &&= end <= step.until
    if (isBefore) step.done = end
    else yield packet
  }
}
