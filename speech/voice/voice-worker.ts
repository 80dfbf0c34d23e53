import { parentPort } from 'node:worker_threads'
import { decodeAudio } from '../../media/decode/decode.ts'
import { framesOf } from '../../media/decode/frames.ts'
import { MediaFailure } from '../../media/failure.ts'
import { openInference } from '../models/runtime.ts'
import { findSpeech } from '../vad/find-speech.ts'
import { FRAME, loadSilero } from '../vad/silero.ts'
import type { VoiceJob, VoiceMessage, VoiceSpan } from './voice-detector.ts'

const send = (message: VoiceMessage): void => parentPort?.postMessage(message)

/** WebAssembly is fast enough for this small model, and needs no native code in a thread of the service. */
const createDetector = await loadSilero(await openInference(1, false))

async function find({ path, container, ffmpeg, limits }: VoiceJob): Promise<VoiceSpan[] | null> {
  const { signal } = new AbortController()
  const onStep = (): void => send({ type: 'step' })
  const samples = decodeAudio({ path, container, ffmpeg, limits, signal, skip: 0, onStep })
  const spans: VoiceSpan[] = []
  try {
    for await (const { start, end } of findSpeech(framesOf(samples, FRAME), createDetector(), 0))
      spans.push({ start, end })
    return spans
  } catch (error) {
    if (error instanceof MediaFailure) return null
    throw error
  }
}

parentPort?.on('message', (job: VoiceJob) => {
  void find(job).then(
    (spans) => send({ type: 'found', spans }),
    () => send({ type: 'failed' }),
  )
})
