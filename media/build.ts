import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { isAbsolute, join, relative } from 'node:path'
import { build } from 'rolldown'
import {
  BUNDLE_FOLDER,
  type BundleSources,
  digestOf,
  isBundleCurrent,
  SOURCES_FILE,
} from './decode/bundle.ts'

/** Bundles the programs of the decoder into media/dist. `npm ci` runs it. Without the bundle, decoders run from their sources. */
const here = import.meta.dirname
const programs = ['decoder-main', 'kept-decoder-main']

const isInstallation = process.env['npm_lifecycle_event'] === 'postinstall'
if (isInstallation || !isBundleCurrent()) {
  // The account that builds is not always the one that decodes.
  process.umask(0o022)
  const folder = join(here, `dist-${process.pid}`)
  mkdirSync(folder)
  try {
    const { output } = await build({
      input: Object.fromEntries(programs.map((name) => [name, join(here, `decode/${name}.ts`)])),
      platform: 'node',
      output: { dir: folder, entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
    })
    const files = output
      .flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
      // Others are made by the bundler.
      .filter((path) => isAbsolute(path) && !path.includes('node_modules'))
      .map((path) => relative(here, path))
      .toSorted()
    const sources: BundleSources = { files, digest: digestOf(files) }
    writeFileSync(join(folder, SOURCES_FILE), JSON.stringify(sources, null, 2))
    rmSync(BUNDLE_FOLDER, { recursive: true, force: true })
    renameSync(folder, BUNDLE_FOLDER)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
