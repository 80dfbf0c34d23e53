import { SpeechFailure } from '../failure.ts'
import { createModels } from '../models/models.ts'
import { type Job, transcribe } from '../transcribe.ts'
import type { Answer, Order, WorkerSettings } from './protocol.ts'

/** A process of its own, for its models' memory and its crashes. */
const settings = JSON.parse(process.argv[2] ?? '') as WorkerSettings
const models = createModels(settings.threads)
let current = new AbortController()

const answer = (message: Answer): void => void process.send?.(message)

async function perform(job: Job): Promise<Answer> {
  current = new AbortController()
  const onStep = (): void => answer({ type: 'step' })
  try {
    const setup = { ...settings, models, signal: current.signal, onStep }
    return { type: 'done', transcription: await transcribe(job, setup) }
  } catch (error) {
    if (error instanceof SpeechFailure) return { type: 'failed', code: error.code, message: error.message }
    // Onnxruntime's and Node's own words: they hold nothing that was said.
    const reason = error instanceof Error ? error.name : 'unknown'
    return { type: 'failed', code: 'unavailable', message: `The embedded engine failed (${reason}).` }
  }
}

process.on('message', (order: Order) => void obey(order))

async function obey(order: Order): Promise<void> {
  if (order.type === 'abort') current.abort()
  else answer(await perform(order.job))
}

// Also when whoever started us was killed: the channel breaks with them. The abort ends the decoder, which may hang.
process.on('disconnect', () => {
  current.abort()
  process.exit(0)
})
