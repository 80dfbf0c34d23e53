import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { buildBundle } from './build-bundle.ts'
import { digestOf, isBundleCurrent, locateProgram, SOURCES_FILE } from './bundle.ts'

function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley bundle '))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}

/** A package whose program prints where it finds its files. */
function newPackage(t: TestContext): string {
  const folder = temporaryFolder(t)
  mkdirSync(join(folder, 'inner'))
  writeFileSync(join(folder, 'inner/value.ts'), "export const value: string = 'first'\n")
  writeFileSync(
    join(folder, 'inner/run.ts'),
    `import { value } from './value.ts'
     console.log(JSON.stringify([value, import.meta.dirname, import.meta.url]))`,
  )
  return folder
}

const run = (program: string): unknown =>
  JSON.parse(execFileSync(process.execPath, [program], { encoding: 'utf8' }))

test('a bundle is used only if its sources have not changed', (t) => {
  const folder = temporaryFolder(t)
  const write = (files: string[], digest: string): void =>
    writeFileSync(join(folder, SOURCES_FILE), JSON.stringify({ files, digest }))
  assert.equal(isBundleCurrent(folder), false)
  const files = ['platform/clock.ts', 'platform/ids.ts']
  write(files, digestOf(files))
  assert.equal(isBundleCurrent(folder), true)
  write(files, digestOf(files.slice(1)))
  assert.equal(isBundleCurrent(folder), false)
  write(['platform/no-longer-there.ts'], digestOf([]))
  assert.equal(isBundleCurrent(folder), false)
})

test('a program finds the files beside its source, bundled or not', async (t) => {
  const folder = newPackage(t)
  const fromSource = run(locateProgram(folder, 'inner/run.ts'))
  await buildBundle(folder, { programs: ['inner/run.ts'] })
  const program = locateProgram(folder, 'inner/run.ts')
  assert.equal(program, join(folder, 'dist/run.mjs'))
  assert.deepEqual(run(program), fromSource)
})

test('a change of any source is used without a build, and by the next build', async (t) => {
  const folder = newPackage(t)
  await buildBundle(folder, { programs: ['inner/run.ts'] })
  writeFileSync(join(folder, 'inner/value.ts'), "export const value: string = 'second'\n")
  assert.equal(locateProgram(folder, 'inner/run.ts'), join(folder, 'inner/run.ts'))
  await buildBundle(folder, { programs: ['inner/run.ts'] })
  assert.deepEqual((run(locateProgram(folder, 'inner/run.ts')) as string[])[0], 'second')
  assert.equal(locateProgram(folder, 'inner/run.ts'), join(folder, 'dist/run.mjs'))
})

test('a package that reads files beside its code has to be listed', async (t) => {
  const folder = newPackage(t)
  const library = join(folder, 'node_modules/library')
  mkdirSync(library, { recursive: true })
  writeFileSync(join(library, 'package.json'), '{ "name": "library", "main": "index.js" }')
  writeFileSync(join(library, 'index.js'), 'module.exports = __dirname')
  writeFileSync(
    join(folder, 'inner/run.ts'),
    "import place from 'library'\nconsole.log(JSON.stringify([place]))",
  )
  await assert.rejects(buildBundle(folder, { programs: ['inner/run.ts'] }), /list it as external/)
  assert.equal(locateProgram(folder, 'inner/run.ts'), join(folder, 'inner/run.ts'))
  await buildBundle(folder, { programs: ['inner/run.ts'], external: ['library'] })
  assert.deepEqual(run(locateProgram(folder, 'inner/run.ts')), [library])
})
