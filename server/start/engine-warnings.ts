import { loadSpeech, PACKAGE } from '../transcription/engines/embedded/embedded-transcriber.ts'
import type { EngineSettings } from './open-engines.ts'

type EngineChoice = Pick<
  EngineSettings,
  | 'TRANSCRIBER'
  | 'SPEECH_MODEL'
  | 'SUMMARIZER'
  | 'OPENAI_BASE_URL'
  | 'TRANSCRIBE_BASE_URL'
  | 'SUMMARIZE_BASE_URL'
  | 'TRANSCRIBE_VOICE_DETECTION'
>

/** Problems with the engines on this machine, logged at the start, before recordings fail. */
export async function engineWarnings(settings: EngineChoice, packageName = PACKAGE): Promise<string[]> {
  const { TRANSCRIBER, SPEECH_MODEL = 'auto', SUMMARIZER, OPENAI_BASE_URL } = settings
  const isEmbedded = TRANSCRIBER === 'embedded'
  const warnings: string[] = []
  const isNeeded = isEmbedded || settings.TRANSCRIBE_VOICE_DETECTION !== false
  const speech = isNeeded ? await loadSpeech(packageName).catch(() => null) : null
  if (isEmbedded && speech && !speech.isModelInstalled(SPEECH_MODEL))
    warnings.push(
      `The speech model ${SPEECH_MODEL} is not installed, so recordings are not transcribed. Run \`npm run setup:speech -- ${SPEECH_MODEL}\`, or set SPEECH_MODEL=auto.`,
    )
  if (isNeeded && !speech)
    warnings.push(
      isEmbedded
        ? `The package ${packageName} is not installed, so recordings are not transcribed. Install it, or set TRANSCRIBER=openai.`
        : `The package ${packageName} is not installed, so silence is sent to the speech server, which can invent text for it.`,
    )
  if (OPENAI_BASE_URL && isEmbedded && SUMMARIZER === 'embedded')
    warnings.push('OPENAI_BASE_URL is set but not used: neither TRANSCRIBER nor SUMMARIZER is openai.')
  for (const [engine, address] of [
    ['TRANSCRIBER', 'TRANSCRIBE_BASE_URL'],
    ['SUMMARIZER', 'SUMMARIZE_BASE_URL'],
  ] as const)
    if (settings[address] && settings[engine] === 'embedded')
      warnings.push(`${address} is set but not used: ${engine} is not openai.`)
  return warnings
}
