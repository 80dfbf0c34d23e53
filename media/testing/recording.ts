import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { writeWav } from '../split/wav.ts'

export const RATE = 16_000

/** A folder that is deleted after the test. */
export async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-test-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A WAV file of a tone that is silent for half a second at each of the given seconds. */
export async function recordTone(
  t: TestContext,
  seconds: number,
  pauses: readonly number[] = [],
): Promise<string> {
  const path = join(await temporaryFolder(t), 'tone.wav')
  const samples = Int16Array.from({ length: seconds * RATE }, (_, index) => {
    const at = index / RATE
    return pauses.some((pause) => at >= pause && at < pause + 0.5) ? 0 : 8_000 * Math.sin(index / 6)
  })
  await writeWav(path, samples, RATE)
  return path
}
