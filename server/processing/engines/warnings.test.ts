import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { engineWarnings } from './warnings.ts'

const EMBEDDED = { TRANSCRIBER: 'embedded', SUMMARIZER: 'embedded' } as const
const REMOTE = { ...EMBEDDED, TRANSCRIBER: 'openai', OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' } as const

/** With a program of ffmpeg's name in it. */
let path: string
before(async () => {
  path = await mkdtemp(join(tmpdir(), 'parley-path-'))
  await writeFile(join(path, 'ffmpeg'), '', { mode: 0o755 })
})
after(() => rm(path, { recursive: true }))

const NOT_THERE = '@parley/not-there'

test('where nothing lacks, nothing is said', async () => {
  for (const settings of [EMBEDDED, REMOTE]) assert.deepEqual(await engineWarnings(settings, { path }), [])
})

test('the operator is told what recordings will fail of, before they do', async () => {
  const told = async (...args: Parameters<typeof engineWarnings>) =>
    (await engineWarnings(...args)).join('\n')
  assert.match(await told(EMBEDDED, { path: '/nowhere' }), /no ffmpeg .* fail as needs_ffmpeg/)
  assert.match(await told(REMOTE, { path: '/nowhere' }), /no ffmpeg .* can’t be cut/)
  assert.match(await told(EMBEDDED, { path, packageName: NOT_THERE }), /not-there .* nothing is transcribed/)
  assert.match(await told(REMOTE, { path, packageName: NOT_THERE }), /not-there .* can’t be cut/)
})

test('a server that no engine uses is no silent mistake', async () => {
  const settings = { ...EMBEDDED, OPENAI_BASE_URL: REMOTE.OPENAI_BASE_URL }
  assert.match((await engineWarnings(settings, { path })).join(), /OPENAI_BASE_URL is set, and not used/)
})
