import { findFfmpeg } from '../../media/decode/find-ffmpeg.ts'
import { MediaFailure } from '../../media/failure.ts'
import { SpeechFailure } from '../failure.ts'
import { LiveSessions } from '../live/live-sessions.ts'
import { createModels } from '../models/models.ts'
import { type Setup, transcribe } from '../transcribe.ts'
import type { Transcription } from '../types.ts'
import type { WorkerRequest, WorkerResponse, WorkerSettings, WorkRequest } from './worker-process.ts'

/** The worker process. It isolates the memory and the crashes of the models. */
const settings = JSON.parse(process.argv[2] ?? '') as WorkerSettings
const models = createModels(settings.threads, settings.size)
const sessions = new LiveSessions()
let current = new AbortController()

const send = (message: WorkerResponse): void => void process.send?.(message)

async function transcriptionFor(request: WorkRequest, setup: Setup): Promise<Transcription | null> {
  if (request.type === 'resume') return sessions.resume(request.job, setup)
  const { live, ...job } = request.job
  return live ? sessions.start({ ...job, live }, setup) : transcribe(job, setup)
}

async function perform(request: WorkRequest): Promise<WorkerResponse> {
  current = new AbortController()
  const onStep = (): void => send({ type: 'step' })
  try {
    const { ffmpeg = findFfmpeg() } = settings
    const setup = { ...settings, ffmpeg, models, signal: current.signal, onStep }
    return { type: 'done', transcription: await transcriptionFor(request, setup) }
  } catch (error) {
    if (error instanceof SpeechFailure || error instanceof MediaFailure)
      return { type: 'failed', code: error.code, message: error.message }
    // Names of onnxruntime's and Node's errors contain nothing that was said.
    const reason = error instanceof Error ? error.name : 'unknown'
    return { type: 'failed', code: 'unavailable', message: `The embedded engine failed (${reason}).` }
  }
}

async function handle(request: WorkerRequest): Promise<void> {
  if (request.type === 'abort') current.abort()
  else send(await perform(request))
}

process.on('message', (request: WorkerRequest) => void handle(request))

// The channel also closes when the parent is killed. The abort ends the decoder, which can hang.
process.on('disconnect', () => {
  current.abort()
  process.exit(0)
})
