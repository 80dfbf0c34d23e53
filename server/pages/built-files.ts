import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { StartupError } from '../../platform/startup-error.ts'

const DIST = join(import.meta.dirname, '../../web/dist')

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
}

/** A file in the encodings that browsers accept. */
export interface BuiltFile {
  type: string
  plain: Buffer
  gzip: Buffer
  brotli: Buffer
}

function fileOf(name: string, plain: Buffer): BuiltFile {
  return {
    type: TYPES[extname(name)] ?? 'application/octet-stream',
    plain,
    gzip: gzipSync(plain, { level: 9 }),
    brotli: brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
  }
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

/** Reads what `npm ci` built. */
export function readPortal(): BuiltPortal {
  try {
    const folder = join(DIST, 'portal')
    const read = (...path: string[]): Buffer => readFileSync(join(DIST, ...path))
    const manifest = JSON.parse(read('portal', 'manifest.json').toString()) as Record<
      string,
      { file: string }
    >
    const names = readdirSync(join(folder, 'assets'))
    return {
      html: read('portal', 'index.html').toString(),
      assets: new Map(names.map((name) => [name, fileOf(name, read('portal', 'assets', name))])),
      serviceWorker: fileOf('service-worker.js', read('service-worker', 'service-worker.js')),
      catalogueOf: (language) => manifest[`languages/${language}.ts`]?.file ?? null,
    }
  } catch (cause) {
    throw new StartupError('The pages are not built. Run `npm run build` in the folder of Parley.', { cause })
  }
}
