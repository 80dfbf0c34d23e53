import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { BROWSERS, type BrowserName, findBrowser, howToInstall } from '../test/portal/support/browsers.ts'

/**
 * Installs the browsers that the tests of the recording page need, where that is possible: as root on Debian. Elsewhere it says what
 * to install, and those tests are reported as skipped.
 */
export async function setupBrowsers(): Promise<void> {
  const missing = (Object.keys(BROWSERS) as BrowserName[]).filter((name) => findBrowser(name) === null)
  if (missing.length === 0) return
  const packages = missing.map((name) => BROWSERS[name].package)
  if (process.getuid?.() === 0) {
    const install = ['install', '--yes', '--no-install-recommends', ...packages]
    // Package lists of images are often empty or old.
    const isDone = (await aptGet(install)) || ((await aptGet(['update'])) && (await aptGet(install)))
    if (!isDone) console.log(`apt-get could not install ${packages.join(' and ')}.`)
  }
  for (const name of missing) if (findBrowser(name) === null) console.log(howToInstall(name))
}

async function aptGet(args: string[]): Promise<boolean> {
  const child = spawn('apt-get', ['--quiet', ...args], {
    stdio: 'ignore',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
  const [code] = await Promise.race([once(child, 'close'), once(child, 'error').then(() => [1])])
  return code === 0
}
