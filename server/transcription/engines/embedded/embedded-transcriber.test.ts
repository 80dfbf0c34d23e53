import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
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

test('an error of the operating system is unavailable, and is retried', () => {
  const noMemory = Object.assign(new Error('spawn ENOMEM'), { code: 'ENOMEM', errno: -12 })
  assert.throws(() => throwAsEngineFailure(noMemory), { name: 'EngineFailure', code: 'unavailable' })
})
