import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engineWarnings } from './engine-warnings.ts'

const EMBEDDED = { TRANSCRIBER: 'embedded', SUMMARIZER: 'embedded' } as const
const REMOTE = { ...EMBEDDED, TRANSCRIBER: 'openai', OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' } as const

const NOT_THERE = '@parley/not-there'

test('where nothing lacks, nothing is said', async () => {
  for (const settings of [EMBEDDED, REMOTE]) assert.deepEqual(await engineWarnings(settings), [])
})

test('the operator is told what recordings will fail of, before they do', async () => {
  const told = async (settings: Parameters<typeof engineWarnings>[0]) =>
    (await engineWarnings(settings, NOT_THERE)).join('\n')
  assert.match(await told(EMBEDDED), /not-there .* nothing is transcribed/)
  assert.match(await told(REMOTE), /not-there .* can’t be cut/)
})

test('a server that no engine uses is no silent mistake', async () => {
  const settings = { ...EMBEDDED, OPENAI_BASE_URL: REMOTE.OPENAI_BASE_URL }
  assert.match((await engineWarnings(settings)).join(), /OPENAI_BASE_URL is set, and not used/)
})
