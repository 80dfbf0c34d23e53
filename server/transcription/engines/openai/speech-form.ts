import { openAsBlob } from 'node:fs'
import { FormData } from 'undici'
import type { Piece } from '../../../../media/split/split.ts'
import type { Container } from '../../transcriber.ts'

/** What a server is asked for; `json` is text without times. */
export type SpeechFormat = 'verbose_json' | 'diarized_json' | 'json'

export interface SpeechQuestion {
  model: string
  format: SpeechFormat
  language: string | null
  hotwords: readonly string[]
}

/** Servers tell the format by the extension of the name. */
const MEDIA_TYPES: Record<Container, [extension: string, type: string]> = {
  webm: ['webm', 'audio/webm'],
  ogg: ['ogg', 'audio/ogg'],
  mp4: ['m4a', 'audio/mp4'],
  wav: ['wav', 'audio/wav'],
  mp3: ['mp3', 'audio/mpeg'],
  flac: ['flac', 'audio/flac'],
  aac: ['aac', 'audio/aac'],
}
/** Whisper looks at the last 224 tokens, and one gateway refuses more than 896 characters. */
const MAX_PROMPT_CHARACTERS = 800

export async function speechForm({ path, container }: Piece, question: SpeechQuestion): Promise<FormData> {
  const { model, format, language, hotwords } = question
  const [extension, type] = MEDIA_TYPES[container]
  const form = new FormData()
  form.append('file', await openAsBlob(path, { type }), `recording.${extension}`)
  form.append('model', model)
  form.append('response_format', format)
  if (language !== null) form.append('language', language)
  if (format === 'verbose_json') form.append('timestamp_granularities[]', 'segment')
  // It wants this above 30 s, and no prompt.
  if (format === 'diarized_json') form.append('chunking_strategy', 'auto')
  const prompt = promptOf(hotwords)
  if (prompt !== '' && format !== 'diarized_json') form.append('prompt', prompt)
  return form
}

/** As many of the words as fit, the first ones first. */
function promptOf(hotwords: readonly string[]): string {
  let prompt = ''
  for (const word of hotwords) {
    const longer = prompt === '' ? word : `${prompt}, ${word}`
    if (longer.length > MAX_PROMPT_CHARACTERS) break
    prompt = longer
  }
  return prompt
}
