import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fixture } from '../../../conversations/audio/testing/fixtures.ts'
import { probeDuration } from './probe.ts'
import { temporaryFolder } from './testing/recording.ts'

/** Of `one.webm`: a byte of the identifier that its index begins with. */
const CUES_ID_AT = 2_525

test('a recording in which the demuxer runs in circles is tried again: it may have been the machine', async (t) => {
  const path = join(await temporaryFolder(t), 'endless')
  const endless = fixture('one.webm')
  endless[CUES_ID_AT] = 0x7e
  await writeFile(path, endless)
  await assert.rejects(probeDuration(path, 'webm', 2_000), { name: 'EngineFailure', code: 'interrupted' })
})

test('a recording that can’t be read from the disk is not taken for one without sense', async (t) => {
  const absent = join(await temporaryFolder(t), 'absent')
  await assert.rejects(probeDuration(absent, 'webm'), { name: 'EngineFailure', code: 'unavailable' })
})
