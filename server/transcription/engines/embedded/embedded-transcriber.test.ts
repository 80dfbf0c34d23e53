import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { uninstallFfmpeg } from '../../../../media/testing/ffmpeg.ts'
import { EngineFailure } from '../../../engines/engine-failure.ts'
import { openEmbeddedTranscriber, throwAsEngineFailure } from './embedded-transcriber.ts'

const VORBIS = join(import.meta.dirname, '../../../../speech/samples/containers/vorbis.webm')

test('fails as misconfigured if the package is missing', async () => {
  await assert.rejects(openEmbeddedTranscriber({}, '@parley/not-there'), (error: unknown) => {
    assert.ok(error instanceof EngineFailure)
    assert.equal(error.code, 'misconfigured')
    assert.match(error.message, /@parley\/not-there/)
    return true
  })
})

test('failures of the package become EngineFailures', async () => {
  const transcriber = await openEmbeddedTranscriber({ ffmpeg: null })
  const { signal } = new AbortController()
  const attempt = (language: string, path: string, container: 'wav' | 'webm') =>
    transcriber.transcribe({ path, container, language, hotwords: [], from: 0, signal })
  try {
    for (const [code, language, path, container] of [
      ['unsupported_language', 'tlh', import.meta.filename, 'wav'],
      ['unreadable', 'en', import.meta.filename, 'wav'],
      ['needs_ffmpeg', 'en', VORBIS, 'webm'],
    ] as const)
      await assert.rejects(attempt(language, path, container), (error: unknown) => {
        assert.ok(error instanceof EngineFailure)
        assert.equal(error.code, code)
        return true
      })
  } finally {
    await transcriber.close()
  }
})

test('ffmpeg that is installed later is used without a restart', async (t) => {
  const folder = uninstallFfmpeg(t)
  const transcriber = await openEmbeddedTranscriber({ concurrency: 1 })
  t.after(() => transcriber.close())
  const { signal } = new AbortController()
  const attempt = () =>
    transcriber.transcribe({ path: VORBIS, container: 'webm', language: 'en', hotwords: [], from: 0, signal })
  await assert.rejects(attempt(), { code: 'needs_ffmpeg' })
  const silence = `#!/bin/sh\nexec '${process.execPath}' -e 'process.stdout.write(Buffer.alloc(128_000))'\n`
  writeFileSync(join(folder, 'ffmpeg'), silence, { mode: 0o700 })
  assert.equal((await attempt()).duration, 2)
})

test('an error of the operating system is unavailable, and is retried', () => {
  const noMemory = Object.assign(new Error('spawn ENOMEM'), { code: 'ENOMEM', errno: -12 })
  assert.throws(() => throwAsEngineFailure(noMemory), { name: 'EngineFailure', code: 'unavailable' })
})
