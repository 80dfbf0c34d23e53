import type { WavFormat } from '../split/wav.ts'

/** A voice: a tone with overtones that rises and falls, pauses, and a little noise. */
export function voice(seconds: number, { rate, channels, bytes, isFloat }: WavFormat): Buffer {
  const data = Buffer.alloc(seconds * rate * channels * bytes)
  let seed = 1
  for (let frame = 0; frame < seconds * rate; frame++) {
    const time = frame / rate
    const pitch = 2 * Math.PI * (120 * time + 20 * Math.sin(2 * time))
    const loudness = 0.2 * Math.max(0, Math.sin(3 * time))
    const sound = [1, 2, 3, 5, 9].reduce((sum, overtone) => sum + Math.sin(overtone * pitch) / overtone, 0)
    for (let channel = 0; channel < channels; channel++) {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
      const sample = loudness * (channel === 0 ? 1 : 0.6) * sound + 0.004 * (seed / 2 ** 30 - 1)
      const offset = (frame * channels + channel) * bytes
      if (isFloat) data.writeFloatLE(sample, offset)
      else data.writeIntLE(Math.round(sample * (2 ** (8 * bytes - 1) - 1)), offset, bytes)
    }
  }
  return data
}
