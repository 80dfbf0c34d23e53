import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SAMPLE_RATE } from '../../media/decode/limits.ts'
import set from './labelled.json' with { type: 'json' }
import { type Recording, recordingOf, samples, soundOf } from './recordings.ts'

/**
 * Human speech with its text from Debian packages, which are downloaded because their licence differs from ours. Needs apt-get, dpkg-deb
 * and ffmpeg. Packages are kept in the temp directory for the next run.
 */
const CACHE = join(tmpdir(), 'parley-labelled-speech')
const PAUSE = 0.6
const MAX_SECONDS_PER_CLIP = 30

interface DebianPackage {
  package: string
  file: string
  /** Where the clips are in the package. */
  folder: string
  sha256: string
}

/** The folders of unpacked packages, by name. Several parts of the set can be in one package. */
const unpacked = new Map<string, string>()

/** The unpacked folder of the clips; null if neither the package sources of this machine nor the cache have it. */
function unpack({ package: name, file, sha256, folder: clips }: DebianPackage): string | null {
  const known = unpacked.get(name)
  if (known !== undefined) return join(known, clips)
  mkdirSync(CACHE, { recursive: true })
  const path = join(CACHE, file)
  if (!existsSync(path)) {
    const { status } = spawnSync('apt-get', ['download', name], { cwd: CACHE, stdio: 'ignore' })
    if (status !== 0) {
      console.log(`${file} is left out: apt-get does not find it. Ubuntu may have it; copy it to ${CACHE}.`)
      return null
    }
  }
  if (createHash('sha256').update(readFileSync(path)).digest('hex') !== sha256)
    throw new Error(`${file} has an unexpected checksum.`)
  const folder = join(CACHE, name)
  if (!existsSync(folder)) execFileSync('dpkg-deb', ['-x', path, folder])
  unpacked.set(name, folder)
  return join(folder, clips)
}

/** The clips joined with pauses, as one 16 kHz WAV. Named by its clips, so that a changed set is joined again. */
function joinClips(folder: string, clips: readonly string[]): string {
  const paths = clips.map((clip) => join(folder, clip))
  const path = join(CACHE, `${createHash('sha256').update(paths.join()).digest('hex').slice(0, 16)}.wav`)
  if (existsSync(path)) return path
  const inputs = paths.flatMap((clip) => ['-i', clip])
  const padded = paths.map(
    (_, n) =>
      `[${n}:a]aresample=${SAMPLE_RATE},aformat=channel_layouts=mono,apad=pad_dur=${PAUSE},atrim=end=${MAX_SECONDS_PER_CLIP}[p${n}];`,
  )
  const filter = `${padded.join('')}${paths.map((_, n) => `[p${n}]`).join('')}concat=n=${paths.length}:v=0:a=1[out]`
  execFileSync('ffmpeg', ['-y', '-v', 'error', ...inputs, '-filter_complex', filter, '-map', '[out]', path])
  return path
}

async function recordingAt(path: string, language: string, text: string): Promise<Recording> {
  const recording = { path, container: 'wav' as const, language, text, seconds: 0 }
  return { ...recording, seconds: (await soundOf(recording)).length / SAMPLE_RATE }
}

/** At most `each` recordings for each language, of human speech. */
export async function labelledRecordings(each: number): Promise<Map<string, Recording[]>> {
  const labelled = set.packages.flatMap((source) => {
    const folder = unpack(source)
    if (folder === null) return []
    return source.recordings.map(({ language, text, clips }) => ({ language, text, clips, folder }))
  })
  const recordings = samples.filter(({ kind }) => kind === 'human').map(recordingOf)
  for (const [language, own] of Map.groupBy(labelled, (recording) => recording.language)) {
    const missing = Math.max(
      0,
      each - recordings.filter((recording) => recording.language === language).length,
    )
    for (const { folder, clips, text } of own.slice(0, missing))
      recordings.push(await recordingAt(joinClips(folder, clips), language, text))
  }
  const byLanguage = Map.groupBy(recordings, ({ language }) => language)
  return new Map([...byLanguage].map(([language, own]) => [language, own.slice(0, each)]))
}

/** Music, typing and animals, by kind. At most half a minute of each. */
export async function recordingsWithoutSpeech(): Promise<Map<string, Recording[]>> {
  const found = new Map<string, Recording[]>()
  for (const source of set.withoutSpeech) {
    const folder = unpack(source)
    if (folder === null) continue
    const recordings = await Array.fromAsync(source.recordings, (clips) =>
      recordingAt(joinClips(folder, clips), 'en', ''),
    )
    found.set(source.name, recordings)
  }
  return found
}

/** A few seconds in one language, for recordings in which the language changes. */
export interface Stretch {
  language: string
  text: string
  sound: Float32Array
}

/** Null if its package cannot be had. */
async function stretchOf(name: string): Promise<Stretch | null> {
  const stretch = set.stretches[name as keyof typeof set.stretches]
  const { language, text } = stretch
  if ('sample' in stretch) {
    const sample = samples.find(({ file }) => file === stretch.sample)
    if (!sample) throw new Error(`There is no sample ${stretch.sample}.`)
    const sound = await soundOf(recordingOf(sample))
    return { language, text, sound: sound.slice(stretch.from * SAMPLE_RATE, stretch.to * SAMPLE_RATE) }
  }
  const source = set.packages.find((one) => one.package === stretch.package)
  if (!source) throw new Error(`There is no package ${stretch.package}.`)
  const folder = unpack(source)
  if (folder === null) return null
  const path = joinClips(folder, stretch.clips)
  return { language, text, sound: await soundOf(await recordingAt(path, language, text)) }
}

/** Recordings in which the language changes, by their stretches. Those with a stretch that cannot be had are left out. */
export async function switchingRecordings(): Promise<Stretch[][]> {
  const recordings = await Array.fromAsync(set.switches, (names) => Array.fromAsync(names, stretchOf))
  return recordings.filter((stretches) => stretches.every((stretch) => stretch !== null))
}
