import type { EmbeddedTranscriberOptions } from '../../../../speech/index.ts'
import { EngineFailure, type EngineFailureCode } from '../../../engines/engine-failure.ts'
import type { Transcriber } from '../../transcriber.ts'

type Speech = typeof import('../../../../speech/index.ts')

/** An optional package: whoever runs the API alone, or another engine, may leave it and its 600 MB out. */
export const PACKAGE = '@parley/speech'

/** Speech to text on this machine. Rejects with an `EngineFailure` where the package is not installed. */
export async function openEmbeddedTranscriber(
  options: EmbeddedTranscriberOptions = {},
  packageName = PACKAGE,
): Promise<Transcriber> {
  const speech = await loadSpeech(packageName)
  const engine = speech.createEmbeddedTranscriber(options)
  return {
    capabilities: engine.capabilities,
    transcribe: (request) => engine.transcribe(request).catch(failAsEngine),
    close: () => engine.close(),
  }
}

export async function loadSpeech(name: string): Promise<Speech> {
  return import(name).then(
    (module: Speech) => module,
    () => {
      throw new EngineFailure(
        'misconfigured',
        `The embedded engine is not installed: add the package ${name}, or set TRANSCRIBER=openai.`,
      )
    },
  )
}

/** The package has a failure class of its own, so as not to depend on the backend. */
export function failAsEngine(error: Error & { code?: unknown }): never {
  // The system's failures have codes as well, such as ENOMEM.
  const code = error.name === 'SpeechFailure' ? (error.code as EngineFailureCode) : 'unavailable'
  throw new EngineFailure(code, error.message)
}
