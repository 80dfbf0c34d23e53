/** A frame is invalid, or uses a feature that is not supported. */
export class BadFrame extends Error {}

/** Reads a frame bit by bit, the most significant bit first. */
export class BitReader {
  readonly #bytes: Uint8Array
  #at: number

  constructor(bytes: Uint8Array, fromByte = 0) {
    this.#bytes = bytes
    this.#at = 8 * fromByte
  }

  /** The position in bits. */
  get position(): number {
    return this.#at
  }

  bit(): number {
    const byte = this.#bytes[this.#at >> 3]
    if (byte === undefined) throw new BadFrame('it ends too early')
    return (byte >> (7 - (this.#at++ & 7))) & 1
  }

  /** At most 30 bits. */
  read(count: number): number {
    let value = 0
    for (let left = count; left > 0; left--) value = 2 * value + this.bit()
    return value
  }

  flag(): boolean {
    return this.bit() === 1
  }

  skip(count: number): void {
    this.#at += count
  }

  /** Skips to the next byte boundary. */
  align(): void {
    this.#at = (this.#at + 7) & ~7
  }
}
