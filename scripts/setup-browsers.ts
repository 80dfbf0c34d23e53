import { BROWSERS, type BrowserName, findBrowser, howToInstall } from '../test/portal/support/browsers.ts'
import { aptInstall } from './apt-install.ts'

/**
 * Installs the browsers that the tests of the recording page need, where that is possible: as root on Debian. Elsewhere it says what
 * to install, and those tests are reported as skipped.
 */
export async function setupBrowsers(): Promise<void> {
  const missing = (Object.keys(BROWSERS) as BrowserName[]).filter((name) => findBrowser(name) === null)
  if (missing.length === 0) return
  await aptInstall(missing.map((name) => BROWSERS[name].package))
  for (const name of missing) if (findBrowser(name) === null) console.log(howToInstall(name))
}
