import { loadSpeech, PACKAGE } from '../transcription/engines/embedded/embedded-transcriber.ts'
import type { EngineSettings } from './open-engines.ts'

type EngineChoice = Pick<EngineSettings, 'TRANSCRIBER' | 'SPEECH_MODEL' | 'SUMMARIZER' | 'OPENAI_BASE_URL'>

/** Problems with the engines on this machine, logged at the start, before recordings fail. */
export async function engineWarnings(
  { TRANSCRIBER, SPEECH_MODEL = 'auto', SUMMARIZER, OPENAI_BASE_URL }: EngineChoice,
  packageName = PACKAGE,
): Promise<string[]> {
  const isEmbedded = TRANSCRIBER === 'embedded'
  const warnings: string[] = []
  const speech = isEmbedded ? await loadSpeech(packageName).catch(() => null) : null
  if (speech && !speech.isModelInstalled(SPEECH_MODEL))
    warnings.push(
      `The speech model ${SPEECH_MODEL} is not installed, so recordings are not transcribed. Run \`npm run setup:speech -- ${SPEECH_MODEL}\`, or set SPEECH_MODEL=auto.`,
    )
  if (isEmbedded && !speech)
    warnings.push(
      `The package ${packageName} is not installed, so recordings are not transcribed. Install it, or set TRANSCRIBER=openai.`,
    )
  if (OPENAI_BASE_URL && isEmbedded && SUMMARIZER === 'embedded')
    warnings.push('OPENAI_BASE_URL is set but not used: neither TRANSCRIBER nor SUMMARIZER is openai.')
  return warnings
}
