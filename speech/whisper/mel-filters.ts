const LOG_STEP = Math.log(6.4) / 27

const melOf = (hertz: number): number =>
  hertz < 1000 ? (3 * hertz) / 200 : 15 + Math.log(hertz / 1000) / LOG_STEP

const hertzOf = (mel: number): number => (mel < 15 ? (200 * mel) / 3 : 1000 * Math.exp(LOG_STEP * (mel - 15)))

/** One band: the weights of the frequency bins from `first` on. */
export interface Filter {
  first: number
  weights: number[]
}

/** Triangles of equal area on Slaney's mel scale: linear up to 1 kHz, logarithmic above. */
export function melFilters(bands: number, bins: number): Filter[] {
  const top = melOf(8000)
  const edges = Array.from({ length: bands + 2 }, (_, index) => hertzOf((top * index) / (bands + 1)))
  return Array.from({ length: bands }, (_, band) => {
    const [low, centre, high] = edges.slice(band, band + 3) as [number, number, number]
    const weights = Array.from({ length: bins }, (__, bin) => {
      const hertz = (bin * 8000) / (bins - 1)
      const height = Math.min((hertz - low) / (centre - low), (high - hertz) / (high - centre))
      return (Math.max(0, height) * 2) / (high - low)
    })
    const first = Math.max(
      0,
      weights.findIndex((weight) => weight > 0),
    )
    return { first, weights: weights.slice(first, weights.findLastIndex((weight) => weight > 0) + 1) }
  })
}

export function energyIn({ first, weights }: Filter, power: Float64Array): number {
  let energy = 0
  for (let index = 0; index < weights.length; index++)
    energy += (weights[index] as number) * (power[first + index] as number)
  return energy
}
