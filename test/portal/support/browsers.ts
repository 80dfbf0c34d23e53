import { existsSync } from 'node:fs'

/** A browser that the tests drive, as Debian packages it. */
interface Browser {
  name: string
  package: string
  /** The environment variable with its path, for other systems. */
  variable: string
  places: string[]
}

export const BROWSERS = {
  chromium: {
    name: 'Chromium',
    package: 'chromium',
    variable: 'CHROMIUM_PATH',
    places: ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'],
  },
  firefox: {
    name: 'Firefox',
    package: 'firefox-esr',
    variable: 'FIREFOX_PATH',
    places: ['/usr/bin/firefox-esr', '/usr/bin/firefox'],
  },
} satisfies Record<string, Browser>

export type BrowserName = keyof typeof BROWSERS

export function findBrowser(name: BrowserName): string | null {
  const { variable, places } = BROWSERS[name]
  const own = process.env[variable] ?? ''
  return [own, ...places].find((path) => path !== '' && existsSync(path)) ?? null
}

/** One line that says what to do. */
export function howToInstall(name: BrowserName): string {
  const { name: title, package: debian, variable } = BROWSERS[name]
  return `${title} is not installed. Run \`apt-get install ${debian}\` as root, or set ${variable} to its path.`
}

/** For the options of a test: skips it, with the reason, where the browser is missing. */
export const needs = (name: BrowserName): { skip: string | false } => ({
  skip: findBrowser(name) === null && howToInstall(name),
})

export function browserPath(name: BrowserName): string {
  const path = findBrowser(name)
  if (path === null) throw new Error(howToInstall(name))
  return path
}
