import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { EngineFailure } from '../../../engines/engine-failure.ts'
import { decodeRecording } from './decode-recording.ts'

const SAMPLES = join(import.meta.dirname, '../../../../speech/samples')
const { signal } = new AbortController()

async function secondsOf(file: string, container: 'webm' | 'flac'): Promise<number> {
  const { rate, samples } = await decodeRecording(join(SAMPLES, file), container, signal, 0)
  let count = 0
  for await (const piece of samples) count += piece.length
  return count / rate
}

test('what an OpenAI-compatible server can’t take whole is decoded here to be cut', async () => {
  const seconds = await secondsOf('containers/clip.webm', 'webm')
  assert.ok(seconds > 2 && seconds < 4, String(seconds))
})

test('what can’t be decoded is unreadable, in the engines’ own words', async () => {
  await assert.rejects(
    secondsOf('containers/clip.webm', 'flac'),
    (error) => error instanceof EngineFailure && error.code === 'unreadable',
  )
})
