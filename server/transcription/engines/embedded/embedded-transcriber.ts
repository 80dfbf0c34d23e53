import type { EmbeddedTranscriberOptions } from '../../../../speech/index.ts'
import { EngineFailure } from '../../../engines/engine-failure.ts'
import type { Transcriber } from '../../transcriber.ts'

type Speech = typeof import('../../../../speech/index.ts')

/** An optional package of 600 MB: an API-only process, or one with another engine, does not need it. */
export const PACKAGE = '@parley/speech'

/** Speech to text on this machine. Rejects with an `EngineFailure` if the package is not installed. */
export async function openEmbeddedTranscriber(
  options: EmbeddedTranscriberOptions = {},
  packageName = PACKAGE,
): Promise<Transcriber> {
  const speech = await loadSpeech(packageName)
  const engine = speech.createEmbeddedTranscriber(options)
  return {
    capabilities: engine.capabilities,
    transcribe: (request) => engine.transcribe(request).catch(throwAsEngineFailure),
    resume: (request) => engine.resume(request).catch(throwAsEngineFailure),
    close: () => engine.close(),
  }
}

export async function loadSpeech(name: string): Promise<Speech> {
  return import(name).catch(() => {
    throw new EngineFailure(
      'misconfigured',
      `The embedded engine is not installed. Add the package ${name}, or set TRANSCRIBER=openai.`,
    )
  })
}

/** Checks the name, since the class is not loaded where the package is missing. Errors of the system have codes, too (ENOMEM). */
export function throwAsEngineFailure(error: Error & { code?: unknown }): never {
  const code = error.name === 'SpeechFailure' ? (error.code as EngineFailure['code']) : 'unavailable'
  throw new EngineFailure(code, error.message)
}
