import { join } from 'node:path'
import { SAMPLE_RATE } from '../../media/decode/limits.ts'
import { concatSamples } from '../../media/decode/resample.ts'
import { pinkNoise, type Recording, soundOf, withPinkNoise, writeOpus, writeSound } from './recordings.ts'

const NOISE_DECIBELS = 10

/** The same recordings under worse conditions. The Opus variant needs ffmpeg. */
export async function variantsOf(recordings: Recording[], folder: string, ffmpeg: string | null) {
  const noisy: Recording[] = []
  const opus: Recording[] = []
  for (const [index, recording] of recordings.entries()) {
    const sound = await soundOf(recording)
    const wav = join(folder, `noisy-${index}.wav`)
    await writeSound(wav, withPinkNoise(sound, NOISE_DECIBELS))
    noisy.push({ ...recording, path: wav, container: 'wav' })
    if (!ffmpeg) continue
    const webm = join(folder, `opus-${index}.webm`)
    const clean = join(folder, `clean-${index}.wav`)
    await writeSound(clean, sound)
    writeOpus(ffmpeg, clean, webm, '24k')
    opus.push({ ...recording, path: webm, container: 'webm' })
  }
  return {
    noise_10_db: noisy,
    ...(ffmpeg ? { opus_24_kbit: opus } : {}),
    two_voices: [await alternating(recordings, folder)],
  }
}

/** One recording with alternating voices, as in a conversation. */
async function alternating(recordings: Recording[], folder: string): Promise<Recording> {
  const sounds: Float32Array[] = []
  for (const recording of recordings) sounds.push(await soundOf(recording))
  const sound = concatSamples(...sounds)
  const path = join(folder, 'two-voices.wav')
  await writeSound(path, sound)
  const text = recordings.map((recording) => recording.text).join(' ')
  return { path, container: 'wav', language: 'en', text, seconds: sound.length / SAMPLE_RATE }
}

/** Twenty seconds each without speech. */
export function quietRecordings(folder: string): Promise<Recording[]> {
  const length = 20 * SAMPLE_RATE
  const sounds = {
    silence: new Float32Array(length),
    'soft-noise': pinkNoise(length).map((value) => value * 0.05),
    'loud-noise': pinkNoise(length),
    tone: Float32Array.from({ length }, (_, n) => 0.3 * Math.sin((2 * Math.PI * 440 * n) / SAMPLE_RATE)),
    clicks: Float32Array.from({ length }, (_, n) => (n % 8000 < 40 ? 0.6 : 0)),
  }
  return Array.fromAsync(Object.entries(sounds), async ([name, sound]) => {
    const path = join(folder, `${name}.wav`)
    await writeSound(path, sound)
    return { path, container: 'wav', language: 'en', text: '', seconds: 20 }
  })
}
