import { loadSpeech, PACKAGE } from '../transcription/engines/embedded/embedded-transcriber.ts'
import type { EngineSettings } from './open-engines.ts'

type EngineChoice = Pick<EngineSettings, 'TRANSCRIBER' | 'SUMMARIZER' | 'OPENAI_BASE_URL'>

/** What the engines lack on this machine. Said at the start: else the operator hears of it when recordings fail. */
export async function engineWarnings(
  { TRANSCRIBER, SUMMARIZER, OPENAI_BASE_URL }: EngineChoice,
  packageName = PACKAGE,
): Promise<string[]> {
  const speech = await loadSpeech(packageName).catch(() => null)
  const isEmbedded = TRANSCRIBER === 'embedded'
  const warnings: string[] = []
  if (!speech)
    warnings.push(
      isEmbedded
        ? `The package ${packageName} is not installed: nothing is transcribed here. Install it, or set TRANSCRIBER=openai.`
        : `The package ${packageName} is not installed: recordings that are too large for the speech server can’t be cut.`,
    )
  if (OPENAI_BASE_URL && isEmbedded && SUMMARIZER === 'embedded')
    warnings.push('OPENAI_BASE_URL is set, and not used: neither TRANSCRIBER nor SUMMARIZER is openai.')
  return warnings
}
