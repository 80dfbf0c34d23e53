/** The inverse of a modified discrete cosine transform, by a complex Fourier transform of a quarter of its length. */
export interface Imdct {
  /** Returns twice as many samples as lines, without window. The next call overwrites the result. */
  transform(lines: Float32Array): Float32Array
}

export function createImdct(lines: number): Imdct {
  const half = lines / 2
  const twiddle = circle(half, (n) => (-Math.PI * (n + 1 / 8)) / lines)
  const fourier = createFourier(half)
  const real = new Float64Array(half)
  const imaginary = new Float64Array(half)
  const cosines = new Float64Array(lines)
  const samples = new Float32Array(2 * lines)

  /** A cosine transform of type IV, in `cosines`. */
  function transformCosines(from: Float32Array): void {
    for (let n = 0; n < half; n++) {
      const a = from[2 * n] as number
      const b = from[lines - 1 - 2 * n] as number
      const cos = twiddle.cos[n] as number
      const sin = twiddle.sin[n] as number
      real[n] = a * cos - b * sin
      imaginary[n] = a * sin + b * cos
    }
    fourier(real, imaginary)
    for (let k = 0; k < half; k++) {
      const a = real[k] as number
      const b = imaginary[k] as number
      const cos = twiddle.cos[k] as number
      const sin = twiddle.sin[k] as number
      cosines[2 * k] = a * cos - b * sin
      cosines[lines - 1 - 2 * k] = -(a * sin + b * cos)
    }
  }

  return {
    transform(from) {
      transformCosines(from)
      // The cosines continue beyond both ends, mirrored and with the opposite sign.
      for (let n = 0; n < half; n++) {
        samples[n] = (cosines[n + half] as number) / lines
        samples[lines - 1 - n] = -(cosines[n + half] as number) / lines
        samples[lines + n] = -(cosines[half - 1 - n] as number) / lines
        samples[2 * lines - 1 - n] = -(cosines[half - 1 - n] as number) / lines
      }
      return samples
    },
  }
}

interface Circle {
  cos: Float64Array
  sin: Float64Array
}

const circle = (count: number, angle: (n: number) => number): Circle => ({
  cos: Float64Array.from({ length: count }, (_, n) => Math.cos(angle(n))),
  sin: Float64Array.from({ length: count }, (_, n) => Math.sin(angle(n))),
})

/** In place, for a power of two (Cooley and Tukey). The inner loop avoids destructuring, which halved the speed of the decoder. */
function createFourier(size: number): (real: Float64Array, imaginary: Float64Array) => void {
  const root = circle(size / 2, (n) => (-2 * Math.PI * n) / size)
  const reversed = reversedBits(size)

  function butterflies(real: Float64Array, imaginary: Float64Array, width: number): void {
    const step = size / width / 2
    for (let block = 0; block < size; block += 2 * width)
      for (let n = 0; n < width; n++) {
        const low = block + n
        const high = low + width
        const cos = root.cos[n * step] as number
        const sin = root.sin[n * step] as number
        const a = real[high] as number
        const b = imaginary[high] as number
        const x = a * cos - b * sin
        const y = a * sin + b * cos
        real[high] = (real[low] as number) - x
        imaginary[high] = (imaginary[low] as number) - y
        real[low] = (real[low] as number) + x
        imaginary[low] = (imaginary[low] as number) + y
      }
  }

  return (real, imaginary) => {
    for (const [from, to] of reversed) {
      swap(real, from, to)
      swap(imaginary, from, to)
    }
    for (let width = 1; width < size; width *= 2) butterflies(real, imaginary, width)
  }
}

function swap(values: Float64Array, from: number, to: number): void {
  const value = values[from] as number
  values[from] = values[to] as number
  values[to] = value
}

/** The pairs of indexes that are swapped by bit reversal. */
function reversedBits(size: number): [number, number][] {
  const pairs: [number, number][] = []
  for (let from = 0; from < size; from++) {
    let to = 0
    for (let bit = 1; bit < size; bit *= 2) to = 2 * to + (from & bit ? 1 : 0)
    if (from < to) pairs.push([from, to])
  }
  return pairs
}
