import { Silero } from '../vad/silero.ts'
import { Whisper } from '../whisper/whisper.ts'
import { Moonshine } from './moonshine.ts'
import { type Inference, openInference } from './runtime.ts'

/** Each model is loaded when it is first needed, and kept. */
export interface Models {
  silero(): Promise<Silero>
  moonshine(): Promise<Moonshine>
  whisper(): Promise<Whisper>
}

export function createModels(threads: number): Models {
  const inference = once(() => openInference(threads))
  const model = <T>(load: (ort: Inference) => Promise<T>) => once(async () => load(await inference()))
  return { silero: model(Silero.load), moonshine: model(Moonshine.load), whisper: model(Whisper.load) }
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
