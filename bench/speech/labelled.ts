import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SAMPLE_RATE } from '../../media/decode/limits.ts'
import set from './labelled.json' with { type: 'json' }
import { type Recording, soundOf } from './recordings.ts'

/**
 * Human speech with its text from Debian packages, which are downloaded because their licence differs from ours. Needs apt-get, dpkg-deb
 * and ffmpeg. Packages are kept in the temp directory for the next run.
 */
const CACHE = join(tmpdir(), 'parley-labelled-speech')
const PAUSE = 0.6

interface DebianPackage {
  package: string
  file: string
  sha256: string
}

/** The folder into which the package was unpacked. */
function unpack({ package: name, file, sha256 }: DebianPackage): string {
  mkdirSync(CACHE, { recursive: true })
  const path = join(CACHE, file)
  if (!existsSync(path)) execFileSync('apt-get', ['download', name], { cwd: CACHE, stdio: 'ignore' })
  if (createHash('sha256').update(readFileSync(path)).digest('hex') !== sha256)
    throw new Error(`${file} has an unexpected checksum.`)
  const folder = join(CACHE, name)
  if (!existsSync(folder)) execFileSync('dpkg-deb', ['-x', path, folder])
  return folder
}

/** Joined with pauses, as one 16 kHz WAV. */
function joinClips(clips: readonly string[], to: string): void {
  const inputs = clips.flatMap((clip) => ['-i', clip])
  const padded = clips.map(
    (_, n) =>
      `[${n}:a]aresample=${SAMPLE_RATE},aformat=channel_layouts=mono,apad=pad_dur=${PAUSE},atrim=end=30[p${n}];`,
  )
  const filter = `${padded.join('')}${clips.map((_, n) => `[p${n}]`).join('')}concat=n=${clips.length}:v=0:a=1[out]`
  execFileSync('ffmpeg', ['-y', '-v', 'error', ...inputs, '-filter_complex', filter, '-map', '[out]', to])
}

export async function labelledRecordings(): Promise<Recording[]> {
  const recordings: Recording[] = []
  for (const source of set.packages) {
    const folder = join(unpack(source), source.folder)
    for (const [index, { clips, text }] of source.recordings.entries()) {
      const path = join(CACHE, `${source.language}-${index + 1}.wav`)
      if (!existsSync(path))
        joinClips(
          clips.map((clip) => join(folder, clip)),
          path,
        )
      recordings.push(await recordingAt(path, source.language, text))
    }
  }
  return recordings
}

/** The first half minute of each piece. */
export async function musicRecordings(): Promise<Recording[]> {
  const folder = join(unpack(set.music), set.music.folder)
  return Array.fromAsync(set.music.files, (file) => {
    const path = join(CACHE, `${file}.wav`)
    if (!existsSync(path)) joinClips([join(folder, file)], path)
    return recordingAt(path, 'en', '')
  })
}

async function recordingAt(path: string, language: string, text: string): Promise<Recording> {
  const recording = { path, container: 'wav' as const, language, text, seconds: 0 }
  return { ...recording, seconds: (await soundOf(recording)).length / SAMPLE_RATE }
}
