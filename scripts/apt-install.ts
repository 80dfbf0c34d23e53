import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Installs Debian packages where that is possible: as root on Debian. Says so if it fails. */
export async function aptInstall(packages: string[]): Promise<void> {
  if (process.getuid?.() !== 0) return
  const install = ['install', '--yes', '--no-install-recommends', ...packages]
  // Package lists of images are often empty or old.
  const isDone = (await aptGet(install)) || ((await aptGet(['update'])) && (await aptGet(install)))
  if (!isDone) console.log(`apt-get could not install ${packages.join(' and ')}.`)
}

async function aptGet(args: string[]): Promise<boolean> {
  const child = spawn('apt-get', ['--quiet', ...args], {
    stdio: 'ignore',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
  const [code] = await Promise.race([once(child, 'close'), once(child, 'error').then(() => [1])])
  return code === 0
}
