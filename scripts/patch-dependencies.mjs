// Applies patches/*.json to node_modules. `npm ci` and `npm install` run it (postinstall), perhaps with a Node that can't run
// TypeScript: hence plain JavaScript and no imports but Node's. See docs/decisions/0001-patch-mediabunny.md.
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, 'patches')

const problems = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .flatMap((name) => applyPatch(name, JSON.parse(readFileSync(join(folder, name), 'utf8'))))
for (const problem of problems) console.error(`patch-dependencies: ${problem}`)
process.exit(problems.length === 0 ? 0 : 1)

/** Returns what is wrong, and changes nothing then. */
function applyPatch(name, patch) {
  const installed = foldersOf(patch.package)
  if (installed.length === 0) return [`patches/${name}: ${patch.package} is not installed`]
  return installed.flatMap((installedAt) => {
    const { version } = JSON.parse(readFileSync(join(installedAt, 'package.json'), 'utf8'))
    if (version !== patch.version)
      return [
        `patches/${name} is for ${patch.package} ${patch.version}, but ${version} is installed. Check whether that version ` +
          `still needs the patch, then update or delete it (${patch.decision}).`,
      ]
    return replaceAll(name, installedAt, patch.replacements)
  })
}

/** npm puts a package into the root's node_modules, or into a workspace's where versions differ. */
function foldersOf(packageName) {
  const { workspaces = [] } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return ['.', ...workspaces]
    .map((workspace) => join(root, workspace, 'node_modules', packageName))
    .filter((path) => existsSync(path))
}

function replaceAll(name, installedAt, replacements) {
  const texts = new Map()
  const problems = []
  for (const { file, before, after } of replacements) {
    const path = join(installedAt, file)
    const text = texts.get(path) ?? readFileSync(path, 'utf8')
    const [unpatched, patched] = [count(text, before), count(text, after)]
    if (unpatched === 1 && patched === 0)
      texts.set(
        path,
        text.replace(before, () => after),
      )
    else if (unpatched !== 0 || patched !== 1)
      problems.push(`patches/${name} does not apply to ${path}: "${before}" is there ${unpatched} times`)
  }
  if (problems.length === 0) for (const [path, text] of texts) replaceFile(path, text)
  return problems
}

function count(text, part) {
  return text.split(part).length - 1
}

/** By renaming: another process may be loading the file, and a package manager may have linked it to its cache. */
function replaceFile(path, text) {
  const next = `${path}.${process.pid}`
  writeFileSync(next, text)
  renameSync(next, path)
}
