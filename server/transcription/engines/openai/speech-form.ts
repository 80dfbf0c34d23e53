import { openAsBlob } from 'node:fs'
import { FormData } from 'undici'
import { CONTAINERS } from '../../../../media/containers/container.ts'
import type { AudioPart } from '../../../../media/split/audio-part.ts'

/** The response format; `json` is text without timestamps. */
export type SpeechFormat = 'verbose_json' | 'diarized_json' | 'json'

export interface SpeechParameters {
  model: string
  format: SpeechFormat
  language: string | null
  hotwords: readonly string[]
  temperature?: number
}

/** Whisper uses the last 224 tokens, and one gateway rejects more than 896 characters. */
const MAX_PROMPT_CHARACTERS = 800

export async function speechForm(
  { path, container }: Pick<AudioPart, 'path' | 'container'>,
  parameters: SpeechParameters,
): Promise<FormData> {
  const { model, format, language, hotwords, temperature } = parameters
  const { extension, contentType } = CONTAINERS[container]
  const form = new FormData()
  // Servers detect the format by the extension.
  form.append('file', await openAsBlob(path, { type: contentType }), `recording.${extension}`)
  form.append('model', model)
  form.append('response_format', format)
  if (language !== null) form.append('language', language)
  if (temperature !== undefined) form.append('temperature', String(temperature))
  if (format === 'verbose_json') form.append('timestamp_granularities[]', 'segment')
  // Diarising models need this above 30 s, and accept no prompt.
  if (format === 'diarized_json') form.append('chunking_strategy', 'auto')
  const prompt = promptOf(hotwords)
  if (prompt !== '' && format !== 'diarized_json') form.append('prompt', prompt)
  return form
}

/** As many hotwords as fit, in order. */
function promptOf(hotwords: readonly string[]): string {
  let prompt = ''
  for (const word of hotwords) {
    const longer = prompt === '' ? word : `${prompt}, ${word}`
    if (longer.length > MAX_PROMPT_CHARACTERS) break
    prompt = longer
  }
  return prompt
}
