import { join } from 'node:path'
import { SAMPLE_RATE } from '../../media/decode/limits.ts'
import { concatSamples } from '../../media/decode/resample.ts'
import { pinkNoise, whiteNoise } from '../../speech/testing/levels.ts'
import { type Recording, soundOf, withPinkNoise, writeOpus, writeSound } from './recordings.ts'

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

/** Sounds of twenty seconds without speech, by kind. */
export async function soundsWithoutSpeech(folder: string): Promise<Map<string, Recording[]>> {
  const length = 20 * SAMPLE_RATE
  const white = (volume: number) => Float32Array.from({ length }, whiteNoise()).map((value) => volume * value)
  const sine = (frequency: number, volume: number) =>
    Float32Array.from({ length }, (_, n) => volume * Math.sin((2 * Math.PI * frequency * n) / SAMPLE_RATE))
  const sounds = {
    silence: new Float32Array(length),
    'soft pink noise': pinkNoise(length).map((value) => value * 0.05),
    'loud pink noise': pinkNoise(length),
    'soft white noise': white(0.02),
    'loud white noise': white(0.3),
    // Like wind or a knocking window: noise that comes and goes.
    gusts: pinkNoise(length).map((value, n) => value * Math.sin((Math.PI * n) / SAMPLE_RATE / 1.3) ** 2),
    'mains hum': sine(50, 0.2).map(
      (value, n) => value + 0.1 * Math.sin((2 * Math.PI * 150 * n) / SAMPLE_RATE),
    ),
    tone: sine(440, 0.3),
    clicks: Float32Array.from({ length }, (_, n) => (n % 8000 < 40 ? 0.6 : 0)),
  }
  const found = new Map<string, Recording[]>()
  for (const [name, sound] of Object.entries(sounds)) {
    const path = join(folder, `${name.replaceAll(' ', '-')}.wav`)
    await writeSound(path, sound)
    found.set(name, [{ path, container: 'wav', language: 'en', text: '', seconds: 20 }])
  }
  return found
}
