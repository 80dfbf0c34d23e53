import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { limitCpu } from '../../media/cpu-limit.ts'
import { cpuMsOf } from '../../media/run-thread.ts'
import { ENDLESS } from '../../media/testing/endless.ts'

interface Replacement {
  file: string
  before: string
  after: string
}

const ROOT = join(import.meta.dirname, '../..')
const PATCH = join(ROOT, 'patches/mediabunny.json')
const SCRIPT = join(ROOT, 'scripts/patch-dependencies.mjs')
const INSTALLED = join(ROOT, 'node_modules/mediabunny')
const { replacements, version } = JSON.parse(readFileSync(PATCH, 'utf8')) as {
  replacements: Replacement[]
  version: string
}

const folder = mkdtempSync(join(tmpdir(), 'dependency-patches-'))
after(() => rmSync(folder, { recursive: true }))
let copies = 0

/** A folder like the repository, with a copy of the installed library and the patch. */
function copyOfRoot(): string {
  const root = join(folder, String(copies++))
  mkdirSync(join(root, 'patches'), { recursive: true })
  writeFileSync(join(root, 'package.json'), '{}')
  cpSync(PATCH, join(root, 'patches/mediabunny.json'))
  const library = join(root, 'node_modules/mediabunny')
  cpSync(join(INSTALLED, 'package.json'), join(library, 'package.json'))
  cpSync(join(INSTALLED, 'dist/modules'), join(library, 'dist/modules'), { recursive: true })
  return root
}

function replaceIn(root: string, file: string, from: string, to: string): void {
  const path = join(root, 'node_modules/mediabunny', file)
  const text = readFileSync(path, 'utf8')
  assert.equal(text.split(from).length, 2, `${path} does not hold "${from}" once`)
  const replaced = text.replace(from, () => to)
  writeFileSync(path, replaced)
}

function apply(root: string) {
  const { status, stderr } = spawnSync(process.execPath, [SCRIPT, root], { encoding: 'utf8' })
  return { status, stderr }
}

const textOf = (root: string, { file }: Replacement): string =>
  readFileSync(join(root, 'node_modules/mediabunny', file), 'utf8')

/** Long for a file of 6 kB, which takes a few milliseconds. */
const ENDLESS_CPU_MS = 500

async function isEndless(root: string, bytes: Uint8Array): Promise<boolean> {
  const library = pathToFileURL(join(root, 'node_modules/mediabunny/dist/modules/src/index.js')).href
  const worker = new Worker(new URL('../../media/testing/read-packets-worker.ts', import.meta.url), {
    workerData: { library, bytes },
  })
  const { promise, resolve, reject } = Promise.withResolvers<boolean>()
  const limit = limitCpu(
    () => cpuMsOf(worker),
    () => resolve(true),
    ENDLESS_CPU_MS,
  )
  worker.on('error', reject)
  worker.on('message', (message) => (message === 'loaded' ? limit.progress() : resolve(false)))
  try {
    return await promise
  } finally {
    limit.stop()
    await worker.terminate()
  }
}

test('the installed library is patched', () => {
  for (const replacement of replacements) {
    const text = textOf(ROOT, replacement)
    assert.ok(text.includes(replacement.after), `not patched: ${replacement.file}; run npm ci`)
    assert.ok(!text.includes(replacement.before))
  }
})

for (const [index, loop] of (['resync', 'segment', 'clusters', 'adts'] as const).entries()) {
  test(`without the patch, mediabunny ${version} never ends in the loop ${loop}`, async () => {
    const root = copyOfRoot()
    const { file, before, after } = replacements[index] as Replacement
    replaceIn(root, file, after, before)
    assert.ok(await isEndless(root, ENDLESS[loop]()), 'fixed by the library: delete this part of the patch')
  })

  test(`with the patch, mediabunny reads the same file to its end: ${loop}`, async () => {
    assert.equal(await isEndless(ROOT, ENDLESS[loop]()), false)
  })
}

test('the patch is applied once, however often the script runs', () => {
  const root = copyOfRoot()
  for (const { file, before, after } of replacements) replaceIn(root, file, after, before)
  for (let run = 0; run < 2; run++) {
    assert.deepEqual(apply(root), { status: 0, stderr: '' })
    for (const replacement of replacements) assert.equal(textOf(root, replacement), textOf(ROOT, replacement))
  }
})

test('the installation fails when another version of the library is installed', () => {
  const root = copyOfRoot()
  replaceIn(root, 'package.json', `"version": "${version}"`, '"version": "1.999.0"')
  const { status, stderr } = apply(root)
  assert.equal(status, 1)
  assert.match(stderr, /is for mediabunny .*, but 1\.999\.0 is installed/)
})

test('the installation fails, and changes nothing, when a part of the patch does not apply', () => {
  const root = copyOfRoot()
  const [first, second] = replacements as [Replacement, Replacement]
  replaceIn(root, first.file, first.after, first.before)
  replaceIn(root, second.file, second.after, 'something else')
  const { status, stderr } = apply(root)
  assert.equal(status, 1)
  assert.match(stderr, /does not apply/)
  assert.ok(textOf(root, first).includes(first.before))
})

test('the installation fails when the library is not installed', () => {
  const root = copyOfRoot()
  rmSync(join(root, 'node_modules'), { recursive: true })
  assert.deepEqual(apply(root).status, 1)
})
