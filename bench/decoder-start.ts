import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { BUNDLE, locateSources, spawnOwnDecoder } from '../media/decode/decoder-process.ts'
import { DECODE_LIMITS } from '../media/decode/limits.ts'
import { median, rounded, saveFigures } from './deliveries/figures.ts'

/**
 * `node bench/decoder-start.ts`: how long a decoder process takes to start and to decode a second of audio, from the bundle and from
 * the sources. Both take turns.
 */
const ROUNDS = 15
const media = join(import.meta.dirname, '../media')
const source = {
  path: join(media, 'testing/one.webm'),
  container: 'webm',
  limits: DECODE_LIMITS,
  skip: 0,
} as const
const codes = { bundle: BUNDLE, sources: locateSources() }

execFileSync(process.execPath, [join(media, 'build.ts')])
const times: Record<keyof typeof codes, number[]> = { bundle: [], sources: [] }
for (let round = 0; round < ROUNDS; round++) {
  for (const name of ['bundle', 'sources'] as const) {
    const began = performance.now()
    await buffer(spawnOwnDecoder(source, codes[name]).stdout)
    times[name].push(performance.now() - began)
  }
}
const [bundle, sources] = [median(times.bundle), median(times.sources)]
const figures = {
  bundle_ms: rounded(bundle, 0),
  sources_ms: rounded(sources, 0),
  ratio: rounded(bundle / sources, 2),
}
await saveFigures('decoder-start', figures)
