interface WavHead {
  /** Samples per second. */
  rate: number
  /** Per sample. */
  bits: number
  /** As the header declares. */
  dataBytes: number
}

/** The header of a WAV file with one channel. */
export function wavHead({ rate, bits, dataBytes }: WavHead): Buffer {
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(Math.min(0xffff_ffff, 36 + dataBytes), 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(rate, 24)
  head.writeUInt32LE((rate * bits) / 8, 28)
  head.writeUInt16LE(bits / 8, 32)
  head.writeUInt16LE(bits, 34)
  head.write('data', 36)
  head.writeUInt32LE(dataBytes, 40)
  return head
}
