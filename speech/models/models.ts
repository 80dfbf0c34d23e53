import { loadSilero } from '../vad/silero.ts'
import { loadWhisper } from '../whisper/whisper.ts'
import { loadMoonshine } from './moonshine.ts'
import { type Inference, openInference } from './runtime.ts'
import { WHISPER, type WhisperSize } from './weights.ts'

export type Models = ReturnType<typeof createModels>

/** Each model is loaded when it is first needed, and kept. */
export function createModels(threads: number, size: WhisperSize = 'base') {
  const inference = once(() => openInference(threads))
  const model = <T>(load: (ort: Inference) => Promise<T>) => once(async () => load(await inference()))
  // Small models on a second thread take 40 % more CPU time to be 13 % faster. WebAssembly has one number of threads for all.
  const single = once(async () => {
    const ort = await inference()
    return ort.kind === 'native' ? openInference(1) : ort
  })
  const smallModel = <T>(load: (ort: Inference) => Promise<T>) => once(async () => load(await single()))
  return {
    silero: smallModel(loadSilero),
    moonshine: smallModel(loadMoonshine),
    whisper: model((ort) => loadWhisper(ort, WHISPER[size])),
  }
}

/** A failed load is retried by the next job. */
function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | null = null
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = null
      throw error
    })
    return loading
  }
}
