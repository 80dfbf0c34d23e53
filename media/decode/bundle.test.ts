import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { before, test } from 'node:test'
import { clip } from '../testing/fixtures.ts'
import { BUNDLE, locateSources, spawnOwnDecoder } from './decoder-process.ts'
import { DECODE_LIMITS } from './limits.ts'

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
