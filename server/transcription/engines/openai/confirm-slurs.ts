import { guessLanguage } from '../../../../grounding/text/lexicon.ts'
import type { Segment, Word } from '../../transcriber.ts'
import type { SpeechResponse } from './speech-response.ts'

interface Recognition {
  text: string
  confidence: number
  words: Word[]
}

/** A function of `@parley/speech`, which is optional. */
export type ConfirmSlurs = (
  recognition: Recognition,
  language: string,
  recogniseAgain: () => Promise<string>,
) => Promise<Recognition>

/** Replaces slurs that the server is unsure of. It is asked again only if there is one, and once for the whole response. */
export async function withoutUnconfirmedSlurs(
  response: SpeechResponse,
  requested: string | null,
  { confirm, ask }: { confirm: ConfirmSlurs; ask: () => Promise<string> },
): Promise<SpeechResponse> {
  const language = response.language ?? requested?.split('-')[0] ?? guessLanguage([response.text]) ?? 'en'
  let second: Promise<string> | null = null
  const recogniseAgain = (): Promise<string> => {
    second ??= ask()
    return second
  }
  const check = async <T extends Pick<Segment, 'start' | 'end' | 'text' | 'confidence' | 'words'>>(
    one: T,
  ) => {
    // Without a confidence, nothing says that the server is sure.
    const { text, start, end, confidence = 0 } = one
    const words = one.words ?? text.split(/\s+/).map((word) => ({ text: word, start, end, confidence }))
    const checked = await confirm({ text, confidence, words: [...words] }, language, recogniseAgain)
    if (checked.text === text) return one
    return {
      ...one,
      text: checked.text,
      confidence: checked.confidence,
      ...(one.words && { words: checked.words }),
    }
  }
  if (response.segments) return { ...response, segments: await Promise.all(response.segments.map(check)) }
  return { ...response, text: (await check({ start: 0, end: 0, text: response.text })).text }
}
