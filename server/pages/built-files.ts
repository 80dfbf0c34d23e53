import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { StartupError } from '../../platform/startup-error.ts'

const DIST = join(import.meta.dirname, '../../web/dist')

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
}

/** A file in the encodings that browsers accept; null where the build has none, since images are compressed already. */
export interface BuiltFile {
  type: string
  plain: Buffer
  gzip: Buffer | null
  brotli: Buffer | null
}

export interface BuiltPortal {
  /** The page, with places for what the server writes into it. */
  html: string
  /** By their names, which contain a hash of the content. */
  assets: ReadonlyMap<string, BuiltFile>
  serviceWorker: BuiltFile
  /** The file of the texts in a language. */
  catalogueOf(language: string): string | null
}

/** Reads what `npm ci` built. Only these files are served, so a path in a request never reaches the disk. */
export const readPortal = (dist = DIST): BuiltPortal =>
  readBuilt(() => {
    const manifest = JSON.parse(readFileSync(join(dist, 'portal/manifest.json'), 'utf8')) as Record<
      string,
      { file: string }
    >
    const [serviceWorker] = readFiles(join(dist, 'service-worker')).values()
    if (!serviceWorker) throw new Error('The service worker is missing.')
    return {
      html: readFileSync(join(dist, 'portal/index.html'), 'utf8'),
      assets: readFiles(join(dist, 'portal/assets')),
      serviceWorker,
      catalogueOf: (language) => manifest[`languages/${language}.ts`]?.file ?? null,
    }
  })

export interface BuiltDashboard extends Pick<BuiltPortal, 'html' | 'assets'> {
  /** The page within the project settings that shows the recording page. */
  preview: string
}

export const readDashboard = (dist = DIST): BuiltDashboard =>
  readBuilt(() => ({
    html: readFileSync(join(dist, 'dashboard/index.html'), 'utf8'),
    preview: readFileSync(join(dist, 'dashboard/preview/index.html'), 'utf8'),
    assets: readFiles(join(dist, 'dashboard/assets')),
  }))

function readBuilt<T>(read: () => T): T {
  try {
    return read()
  } catch (cause) {
    throw new StartupError('The pages are not built. Run `npm run build` in the folder of Parley.', { cause })
  }
}

function readFiles(folder: string): Map<string, BuiltFile> {
  const names = new Set(readdirSync(folder))
  const read = (name: string): Buffer | null => (names.has(name) ? readFileSync(join(folder, name)) : null)
  const originals = [...names].filter((name) => extname(name) in TYPES)
  return new Map(
    originals.map((name) => [
      name,
      {
        type: TYPES[extname(name)] as string,
        plain: readFileSync(join(folder, name)),
        gzip: read(`${name}.gz`),
        brotli: read(`${name}.br`),
      },
    ]),
  )
}
