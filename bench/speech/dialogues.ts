import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { KeptDecoder } from '../../media/decode/kept-decoder.ts'
import { DECODE_LIMITS, SAMPLE_RATE } from '../../media/decode/limits.ts'
import { concatSamples } from '../../media/decode/resample.ts'
import { recordingOf, samples, soundOf } from './recordings.ts'

const RECORDINGS = 20
const SECONDS = 35
/** Between two lines. */
const GAPS = [0.05, 0.2, 0.4, 0.8]
/** The index of `queen.1c`: a name, a byte, the offset and the size of each file. */
const ENTRY_BYTES = 21
const FIRST_LINE = '020001P2.SB'

const silence = (seconds: number): Float32Array => new Float32Array(Math.round(seconds * SAMPLE_RATE))

/** Acted dialogues: consecutive lines of the game, which are MP3 files, until a recording is long enough. */
export async function readLines(path: string, folder: string): Promise<Float32Array[]> {
  const bytes = readFileSync(path)
  const decoder = new KeptDecoder(DECODE_LIMITS)
  const { signal } = new AbortController()
  const line = join(folder, 'line.mp3')
  const recordings: Float32Array[] = []
  let parts: Float32Array[] = []
  let [number, seconds] = [0, 0]
  for (let at = bytes.indexOf(FIRST_LINE); recordings.length < RECORDINGS; at += ENTRY_BYTES) {
    const name = bytes.toString('latin1', at, at + 12)
    if (!name.includes('.')) break
    if (!name.includes('.SB')) continue
    const offset = bytes.readUInt32BE(at + 13)
    writeFileSync(line, bytes.subarray(offset, offset + bytes.readUInt32BE(at + 17)))
    const file = { path: line, container: 'mp3' as const, isContinued: false, skip: 0, signal }
    const sound = concatSamples(...(await Array.fromAsync(decoder.decode(file))))
    parts.push(sound, silence(GAPS[number++ % GAPS.length] ?? 0))
    seconds += sound.length / SAMPLE_RATE
    if (seconds < SECONDS) continue
    recordings.push(concatSamples(...parts))
    parts = []
    seconds = 0
  }
  decoder.close()
  return recordings
}

/** The English samples, two or three in a row with a short gap. */
export async function sampleSounds(): Promise<Float32Array[]> {
  const english = samples.filter(({ language }) => language === 'en').map(recordingOf)
  const sounds = await Promise.all(english.map(soundOf))
  const of = (number: number): Float32Array => sounds[number % sounds.length] ?? silence(0)
  return Array.from({ length: RECORDINGS }, (_, n) =>
    concatSamples(of(n), silence(GAPS[n % GAPS.length] ?? 0), of(3 * n + 1)),
  )
}
