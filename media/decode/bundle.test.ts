import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { before, test } from 'node:test'
import { clip } from '../testing/fixtures.ts'
import { digestOf, isBundleCurrent, SOURCES_FILE } from './bundle.ts'
import { BUNDLE, locateSources, spawnOwnDecoder } from './decoder-process.ts'
import { DECODE_LIMITS } from './limits.ts'

test('the bundle is used only if its sources have not changed', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bundle-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const write = (files: string[], digest: string): void =>
    writeFileSync(join(folder, SOURCES_FILE), JSON.stringify({ files, digest }))
  assert.equal(isBundleCurrent(folder), false)
  const files = ['decode/decode-file.ts', 'decode/resample.ts']
  write(files, digestOf(files))
  assert.equal(isBundleCurrent(folder), true)
  write(files, digestOf(files.slice(1)))
  assert.equal(isBundleCurrent(folder), false)
  write(['decode/no-longer-there.ts'], digestOf([]))
  assert.equal(isBundleCurrent(folder), false)
})

before(() => execFileSync(process.execPath, [join(import.meta.dirname, '../build.ts')]))

for (const container of ['webm', 'mp3', 'flac', 'mp4'] as const)
  test(`the bundle decodes ${container} as the sources do`, async () => {
    const source = { path: clip(container), container, limits: DECODE_LIMITS, skip: 0 }
    const [bundled, fromSources] = await Promise.all(
      [BUNDLE, locateSources()].map((code) => buffer(spawnOwnDecoder(source, code).stdout)),
    )
    assert.ok(bundled && bundled.length > 10_000)
    assert.deepEqual(bundled, fromSources)
  })
