import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { endlessWebm } from '../../../conversations/audio/testing/parts.ts'
import { probeDuration } from './probe.ts'
import { temporaryFolder } from './testing/recording.ts'

test('a recording in which the demuxer runs in circles is tried again: it may have been the machine', async () => {
  await assert.rejects(probeDuration(endlessWebm().path, 'webm', 2_000), {
    name: 'EngineFailure',
    code: 'interrupted',
  })
})

test('a recording that can’t be read from the disk is not taken for one without sense', async (t) => {
  const absent = join(await temporaryFolder(t), 'absent')
  await assert.rejects(probeDuration(absent, 'webm'), { name: 'EngineFailure', code: 'unavailable' })
})
