/** 400 = 16 · 25 points: radix 2 four times, then radix 5 twice. */
const SIZE = 400
const COS = Float64Array.from({ length: SIZE }, (_, n) => Math.cos((2 * Math.PI * n) / SIZE))
const SIN = Float64Array.from({ length: SIZE }, (_, n) => Math.sin((2 * Math.PI * n) / SIZE))

interface Complex {
  re: Float64Array
  im: Float64Array
}

const scratch = new Map<number, Complex[]>()

/** The power spectrum of 400 real samples. */
export function powerSpectrum(samples: Float64Array): Float64Array {
  const result = buffersOf(SIZE, 1)[0] as Complex
  transform(samples, 0, 1, SIZE, result)
  return Float64Array.from(
    { length: SIZE / 2 + 1 },
    (_, bin) => (result.re[bin] as number) ** 2 + (result.im[bin] as number) ** 2,
  )
}

/** Transforms every `stride`-th sample from `start`, by the transforms of the interleaved parts. */
function transform(samples: Float64Array, start: number, stride: number, size: number, into: Complex): void {
  if (size === 1) {
    into.re[0] = samples[start] as number
    into.im[0] = 0
    return
  }
  const radix = size % 2 === 0 ? 2 : 5
  const part = size / radix
  const parts = buffersOf(part, radix)
  // Inner calls use the buffers of smaller sizes only.
  for (let index = 0; index < radix; index++)
    transform(samples, start + index * stride, stride * radix, part, parts[index] as Complex)
  combine(parts, part, stride, into)
}

function combine(parts: Complex[], part: number, stride: number, into: Complex): void {
  const size = part * parts.length
  for (let bin = 0; bin < size; bin++) {
    let [re, im] = [0, 0]
    for (let index = 0; index < parts.length; index++) {
      const { re: partRe, im: partIm } = parts[index] as Complex
      const [a, b] = [partRe[bin % part] as number, partIm[bin % part] as number]
      const angle = (index * bin * stride) % SIZE
      const [cos, sin] = [COS[angle] as number, SIN[angle] as number]
      re += a * cos + b * sin
      im += b * cos - a * sin
    }
    into.re[bin] = re
    into.im[bin] = im
  }
}

/** Reused between calls: 3,000 spectra per window would otherwise allocate thousands of arrays each. */
function buffersOf(size: number, count: number): Complex[] {
  const known = scratch.get(size)
  if (known) return known
  const made = Array.from({ length: count }, () => ({
    re: new Float64Array(size),
    im: new Float64Array(size),
  }))
  scratch.set(size, made)
  return made
}
