import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EngineFailure } from '../../engine-failure.ts'
import { openEmbeddedTranscriber } from './embedded-transcriber.ts'

test('without the package the operator is told', async () => {
  await assert.rejects(openEmbeddedTranscriber({}, '@parley/not-there'), (error: unknown) => {
    assert.ok(error instanceof EngineFailure)
    assert.equal(error.code, 'misconfigured')
    assert.match(error.message, /@parley\/not-there/)
    return true
  })
})

test('the package’s failures are the port’s', async () => {
  const transcriber = await openEmbeddedTranscriber({ ffmpeg: null })
  const request = { path: import.meta.filename, container: 'wav' as const, hotwords: [], from: 0 }
  const { signal } = new AbortController()
  const attempt = (language: string | null) => transcriber.transcribe({ ...request, language, signal })
  try {
    for (const [language, code] of [
      ['tlh', 'unsupported_language'],
      ['en', 'unreadable'],
    ] as const)
      await assert.rejects(attempt(language), (error: unknown) => {
        assert.ok(error instanceof EngineFailure)
        assert.equal(error.code, code)
        return true
      })
  } finally {
    await transcriber.close()
  }
})
