/** The codes of telephone recordings (ITU-T G.711) in WAV. */
export const A_LAW = 6
export const MU_LAW = 7

export type Law = typeof A_LAW | typeof MU_LAW

/** Sign, exponent and mantissa of a sample of 16 bits, in one byte. */
const SAMPLES: Record<Law, (encoded: number) => number> = {
  [A_LAW](encoded) {
    const bits = encoded ^ 0x55
    const [exponent, mantissa] = [(bits >> 4) & 7, (bits & 15) << 4]
    const size = exponent === 0 ? mantissa + 8 : (mantissa + 0x108) << (exponent - 1)
    return bits & 0x80 ? size : -size
  },
  [MU_LAW](encoded) {
    const bits = ~encoded
    const size = ((((bits & 15) << 3) + 0x84) << ((bits >> 4) & 7)) - 0x84
    return bits & 0x80 ? -size : size
  },
}

/** Between -1 and 1. */
export const sampleOf = (law: Law, encoded: number): number => SAMPLES[law](encoded) / 32_768
