import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findFfmpeg } from '../../media/decode/find-ffmpeg.ts'
import { createEmbeddedTranscriber, type EmbeddedTranscriber } from '../../speech/index.ts'
import { rounded, saveFigures } from '../deliveries/figures.ts'
import { transcribeLive } from './live.ts'
import { type Recording, recordingOf, requestFor, samples } from './recordings.ts'
import { variantsOf } from './variants.ts'
import { spokenWords, wordErrors } from './word-errors.ts'

/** `node bench/speech/conditions.ts --model=base|small`: English with noise, as Opus, with several voices, in small chunks; both models. */
const { values } = parseArgs({ options: { model: { type: 'string', default: 'base' } } })
const model = values.model as 'base' | 'small'
const folder = mkdtempSync(join(tmpdir(), 'parley-speech-bench-'))
const humanEnglish = samples
  .filter(({ language, kind }) => language === 'en' && kind === 'human')
  .map(recordingOf)

async function transcribe(
  engine: EmbeddedTranscriber,
  recording: Recording,
  language: string | null = recording.language,
): Promise<string> {
  const { segments } = await engine.transcribe(requestFor(recording, language))
  return segments.map(({ text }) => text).join(' ')
}

/** Over all recordings together, in percent, and the time per second of audio. */
async function measure(recordings: Recording[], transcribe: (recording: Recording) => Promise<string>) {
  let [errors, words, seconds] = [0, 0, 0]
  const started = performance.now()
  for (const recording of recordings) {
    const expected = spokenWords(recording.text)
    errors += wordErrors(expected, spokenWords(await transcribe(recording)))
    words += expected.length
    seconds += recording.seconds
  }
  const realTimeFactor = (performance.now() - started) / 1000 / seconds
  return {
    word_error_percent: rounded((errors / words) * 100, 1),
    words,
    real_time_factor: rounded(realTimeFactor),
  }
}

const LIVE_SECONDS = 10

/** The worker's peak memory, in MiB. */
function peakMemory(engine: EmbeddedTranscriber): number {
  const status = readFileSync(`/proc/${engine.pids[0]}/status`, 'utf8')
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
}

async function measureEnglish(english: 'moonshine' | 'whisper') {
  const engine = createEmbeddedTranscriber({ english, model, concurrency: 1 })
  try {
    // Loads the models, which does not count.
    await transcribe(engine, humanEnglish[0] as Recording)
    const whole = (recording: Recording) => transcribe(engine, recording)
    const figures: Record<string, object> = { clean: await measure(humanEnglish, whole) }
    // Split every few seconds, also within words.
    const live = async (recording: Recording) =>
      (await transcribeLive(engine, recording, { seconds: LIVE_SECONDS, folder }))
        .map(({ text }) => text)
        .join(' ')
    const { word_error_percent, words } = await measure(humanEnglish, live)
    figures['live_chunks_of_10_s'] = { word_error_percent, words }
    for (const [name, recordings] of Object.entries(await variantsOf(humanEnglish, folder, findFfmpeg())))
      figures[name] = await measure(recordings, whole)
    return { ...figures, peak_memory_mib: peakMemory(engine) }
  } finally {
    await engine.close()
  }
}

try {
  const figures = { moonshine: await measureEnglish('moonshine'), whisper: await measureEnglish('whisper') }
  await saveFigures(`speech-conditions-${model}`, figures)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
