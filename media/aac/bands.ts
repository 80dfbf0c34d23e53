/** Sample rates, by their index in the stream. */
export const RATES = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
]

/** The bands of a window, which have one scale factor each (ISO/IEC 14496-3, 4.5.4): where each begins, and the end. */
export interface Bands {
  starts: number[]
  count: number
  /** Filters along the spectrum reach up to this band. */
  mostFiltered: number
}

/** Widths; repeated ones as `times*width`. */
const LONG = {
  96: '14*4 5*8 5*12 2*16 24 28 36 44 11*64',
  64: '14*4 4*8 3*12 3*16 20 2*24 28 36 18*40',
  48: '10*4 7*8 4*12 2*16 2*20 2*24 2*28 19*32 96',
  32: '10*4 7*8 4*12 2*16 2*20 2*24 2*28 22*32',
  24: '11*4 10*8 4*12 3*16 2*20 2*24 2*28 32 2*36 40 44 48 2*52 5*64',
  16: '11*8 9*12 4*16 3*20 2*24 2*28 32 36 2*40 44 48 52 56 60 3*64',
  8: '13*12 7*16 4*20 3*24 2*28 32 2*36 40 44 48 52 56 60 64 80',
}
const SHORT = {
  96: '6*4 3*8 16 28 36',
  48: '5*4 3*8 3*12 3*16',
  24: '7*4 3*8 2*12 2*16 20',
  16: '8*4 2*8 2*12 16 2*20',
  8: '7*4 4*8 12 16 2*20',
}

const bands = (widths: string, mostFiltered: number): Bands => {
  const starts = [0]
  for (const width of widthsOf(widths)) starts.push((starts.at(-1) as number) + width)
  return { starts, count: starts.length - 1, mostFiltered }
}

const widthsOf = (text: string): number[] =>
  text.split(' ').flatMap((run) => {
    const [times, width] = run.includes('*') ? run.split('*').map(Number) : [1, Number(run)]
    return Array<number>(times as number).fill(width as number)
  })

/** The same bands for several consecutive rates. */
const forRates = (count: number, widths: string, mostFiltered: number): Bands[] =>
  Array<Bands>(count).fill(bands(widths, mostFiltered))

/** By the index of the rate. */
export const LONG_BANDS: readonly Bands[] = [
  ...forRates(2, LONG[96], 31),
  ...forRates(1, LONG[64], 34),
  ...forRates(1, LONG[48], 40),
  ...forRates(1, LONG[48], 42),
  ...forRates(1, LONG[32], 51),
  ...forRates(2, LONG[24], 46),
  ...forRates(3, LONG[16], 42),
  ...forRates(2, LONG[8], 39),
]

export const SHORT_BANDS: readonly Bands[] = [
  ...forRates(2, SHORT[96], 9),
  ...forRates(1, SHORT[96], 10),
  ...forRates(3, SHORT[48], 14),
  ...forRates(2, SHORT[24], 14),
  ...forRates(3, SHORT[16], 14),
  ...forRates(2, SHORT[8], 14),
]
