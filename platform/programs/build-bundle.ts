import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, join, relative } from 'node:path'
import { build, type Plugin } from 'rolldown'
import {
  type BundleSources,
  bundledName,
  bundleFolderOf,
  digestOf,
  isBundleCurrent,
  SOURCES_FILE,
} from './bundle.ts'

export interface BundleOptions {
  /** The programs, relative to the package. */
  programs: string[]
  /** Packages that read files beside their code, or contain native code. They are loaded from node_modules. */
  external?: string[]
}

const ROOT = join(import.meta.dirname, '../..')

/** Builds the `dist` folder of a package, unless it is current. An installation always builds it: libraries could have changed. */
export async function buildBundle(packageFolder: string, options: BundleOptions): Promise<void> {
  const target = bundleFolderOf(packageFolder)
  const isInstallation = process.env['npm_lifecycle_event'] === 'postinstall'
  if (!isInstallation && isBundleCurrent(target)) return
  // The account that builds is not always the one that runs the programs.
  process.umask(0o022)
  const folder = `${target}-${process.pid}`
  mkdirSync(folder)
  try {
    const files = await bundle(packageFolder, folder, options)
    const sources: BundleSources = { files, digest: digestOf(files) }
    writeFileSync(join(folder, SOURCES_FILE), JSON.stringify(sources, null, 2))
    rmSync(target, { recursive: true, force: true })
    renameSync(folder, target)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Returns the sources, relative to the repository. */
async function bundle(
  packageFolder: string,
  folder: string,
  { programs, external = [] }: BundleOptions,
): Promise<string[]> {
  const { output } = await build({
    input: Object.fromEntries(
      programs.map((source) => [bundledName(source).replace('.mjs', ''), join(packageFolder, source)]),
    ),
    platform: 'node',
    external: (id) => external.some((name) => id === name || id.startsWith(`${name}/`)),
    plugins: [keepLocations(folder)],
    output: {
      dir: folder,
      entryFileNames: '[name].mjs',
      chunkFileNames: '[name]-[hash].mjs',
      sourcemap: true,
    },
    logLevel: 'silent',
  })
  const chunks = output.filter((file) => file.type === 'chunk')
  for (const { code } of chunks) assertNoDirectory(code)
  return (
    chunks
      .flatMap(({ moduleIds }) => moduleIds)
      // Others are made by the bundler.
      .filter((path) => isAbsolute(path) && !path.includes('node_modules'))
      .map((path) => relative(ROOT, path))
      .toSorted()
  )
}

/** Modules find files beside their source by `import.meta`, such as programs of child processes and SQL. */
const keepLocations = (folder: string): Plugin => ({
  name: 'keep-locations',
  transform(code, path) {
    if (!code.includes('import.meta.')) return null
    const from = (to: string): string => JSON.stringify(relative(folder, to))
    return code
      .replaceAll('import.meta.url', `new URL(${from(path)}, import.meta.url).href`)
      .replaceAll(
        'import.meta.dirname',
        `process.getBuiltinModule('node:path').join(import.meta.dirname, ${from(dirname(path))})`,
      )
  },
})

/** A bundled package does not know where its folder is. */
function assertNoDirectory(code: string): void {
  const line = code
    .split('\n')
    .find((each) => /^(?!\s*[/*]|.*\btypeof __).*\b__(dirname|filename)\b/.test(each))
  if (line) throw new Error(`A package reads files beside its code; list it as external: ${line.trim()}`)
}
