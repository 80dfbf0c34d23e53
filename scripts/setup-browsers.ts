import { BROWSERS, type BrowserName, findBrowser } from '../test/portal/support/browsers.ts'
import { aptInstall } from './apt-install.ts'

/** Installs browsers that the tests of the pages need, where that is possible: as root on Debian. Returns those that are still missing. */
export async function setupBrowsers(names: BrowserName[]): Promise<BrowserName[]> {
  const isMissing = (name: BrowserName): boolean => findBrowser(name) === null
  const missing = names.filter(isMissing)
  if (missing.length > 0) await aptInstall(missing.map((name) => BROWSERS[name].package))
  return missing.filter(isMissing)
}
