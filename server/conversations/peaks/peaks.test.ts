import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scriptedEngines, wavOf } from '../../../test/support/engines.ts'
import { until } from '../../../test/support/webhooks.ts'
import { peaksKey } from '../chunks/file-keys.ts'
import { backend, portal, recorded, setUp, untilErased } from '../testing/setup.ts'
import { measurePeaks } from './measure-peaks.ts'

setUp({ engines: scriptedEngines() })

const SILENCE_SECONDS = 2

/** Loud in its second half. */
function halfLoud(): Buffer {
  const wav = wavOf('Hello', 2 * SILENCE_SECONDS)
  for (let n = 16_000 * SILENCE_SECONDS; n < 16_000 * 2 * SILENCE_SECONDS; n += 1)
    wav.writeInt16LE(n % 2 ? 16_384 : -16_384, 44 + 2 * n)
  return wav
}

test('measures the loudness of a recording once, and erases it with the conversation', async () => {
  const { id } = await recorded([halfLoud()])
  const path = `/api/v2/conversations/${id}/peaks`
  const { body } = await until(
    () => portal.owner.get(path),
    ({ status }) => status === 200,
  )
  assert.ok(Math.abs(body.duration_seconds - 2 * SILENCE_SECONDS) < 0.1, String(body.duration_seconds))
  assert.ok(Math.abs(body.peaks.length - 80) <= 2, `${body.peaks.length} spans of 50 ms`)
  assert.ok(Math.max(...body.peaks.slice(0, 36)) < 10)
  assert.ok(Math.min(...body.peaks.slice(44, 76)) > 60)
  const key = peaksKey(id, 1)
  assert.notEqual(await backend.files.size(key), null)
  assert.deepEqual((await portal.owner.get(path)).body, body, 'as it was stored')
  await portal.owner.send('DELETE', `/api/v2/conversations/${id}`)
  await untilErased(id)
  assert.equal(await backend.files.size(key), null)
})

test('a conversation without audio has no peaks', async () => {
  const { id } = await recorded([])
  assert.equal((await portal.owner.get(`/api/v2/conversations/${id}/peaks`)).status, 410)
})

test('a recording of any length has at most 1,000 peaks, and the loudest moment is one of them', async () => {
  async function* blocks() {
    for (let n = 0; n < 3_000; n += 1) {
      const block = new Float32Array(1_600)
      if (n === 1_234) block[7] = -0.5
      yield block
    }
  }
  const { peaks, samples } = await measurePeaks(blocks())
  assert.equal(samples, 4_800_000)
  assert.ok(peaks.length > 500 && peaks.length <= 1_000, String(peaks.length))
  assert.equal(Math.max(...peaks), 128)
  const at = peaks.indexOf(128) / peaks.length
  assert.ok(Math.abs(at - 1_234 / 3_000) < 0.01, String(at))
})
