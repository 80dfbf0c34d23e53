import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { createEmbeddedTranscriber, type EmbeddedTranscriber } from '../../speech/index.ts'
import { rounded, saveFigures } from '../deliveries/figures.ts'
import { labelledRecordings } from './labelled.ts'
import { type Recording, requestFor } from './recordings.ts'
import { spokenWords, wordErrors } from './word-errors.ts'

/**
 * `node bench/speech/models.ts --models=base,small --each=3`: word errors, CPU time and memory of the speech models. CPU time depends
 * less than elapsed time on what else the machine does. With two threads the real-time factor is about half of it.
 */
const { models, each } = parseArgs({
  options: { models: { type: 'string', default: 'base,small' }, each: { type: 'string', default: '3' } },
}).values
const TICKS_PER_SECOND = 100

/** CPU seconds of the worker so far. Its decoder processes are not included. */
function cpuSeconds(engine: EmbeddedTranscriber): number {
  // The name of the process, in parentheses, can contain spaces.
  const fields = readFileSync(`/proc/${engine.pids[0]}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

const statusOf = (engine: EmbeddedTranscriber, field: string): number => {
  const status = readFileSync(`/proc/${engine.pids[0]}/status`, 'utf8')
  return Math.round(Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024)
}

async function measure(engine: EmbeddedTranscriber, recordings: readonly Recording[]) {
  let [errors, words, seconds] = [0, 0, 0]
  const [cpu, started] = [cpuSeconds(engine), performance.now()]
  for (const recording of recordings) {
    const { segments } = await engine.transcribe(requestFor(recording, recording.language))
    const expected = spokenWords(recording.text)
    errors += wordErrors(expected, spokenWords(segments.map(({ text }) => text).join(' ')))
    words += expected.length
    seconds += recording.seconds
  }
  return {
    word_error_percent: rounded((errors / words) * 100, 1),
    words,
    seconds: rounded(seconds, 0),
    cpu_seconds_per_second: rounded((cpuSeconds(engine) - cpu) / seconds),
    real_time_factor: rounded((performance.now() - started) / 1000 / seconds),
  }
}

async function measureModel(model: 'base' | 'small', byLanguage: ReadonlyMap<string, readonly Recording[]>) {
  const engine = createEmbeddedTranscriber({ model, concurrency: 1 })
  try {
    const [first] = [...byLanguage.values()].flat()
    // Loads the models, which does not count.
    for (const language of ['en', 'nl']) await engine.transcribe(requestFor(first as Recording, language))
    const languages: Record<string, object> = {}
    for (const [language, recordings] of byLanguage) {
      languages[language] = await measure(engine, recordings)
      console.error(model, language, languages[language])
    }
    return {
      languages,
      peak_memory_mib: statusOf(engine, 'VmHWM'),
      memory_between_jobs_mib: statusOf(engine, 'VmRSS'),
    }
  } finally {
    await engine.close()
  }
}

const byLanguage = await labelledRecordings(Number(each))
const figures: Record<string, object> = {}
for (const model of models.split(',')) figures[model] = await measureModel(model as 'base', byLanguage)
await saveFigures('speech-models', figures)
