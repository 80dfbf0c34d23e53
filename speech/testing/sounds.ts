import { join } from 'node:path'
import { decodeFile } from '../../media/decode/decode-file.ts'
import { SAMPLE_RATE } from '../../media/decode/limits.ts'
import { concatSamples } from '../../media/decode/resample.ts'
import { SAMPLES } from '../../media/testing/fixtures.ts'

const decoded = new Map<string, Promise<Float32Array<ArrayBuffer>>>()

/** A part of a sample, in seconds; the whole one by default. Each sample is decoded once, in this process. */
export async function soundOf(name: string, from = 0, to?: number): Promise<Float32Array<ArrayBuffer>> {
  const sound = decoded.get(name) ?? decode(name)
  decoded.set(name, sound)
  return (await sound).slice(from * SAMPLE_RATE, to && to * SAMPLE_RATE)
}

const decode = async (name: string): Promise<Float32Array<ArrayBuffer>> =>
  concatSamples(...(await Array.fromAsync(decodeFile('flac', join(SAMPLES, `${name}.flac`), 0))))
