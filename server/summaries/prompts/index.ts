import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { it } from './it.ts'
import { nl } from './nl.ts'
import type { Prompts } from './prompts.ts'

export type { Prompts } from './prompts.ts'

const LANGUAGES: Readonly<Record<string, Prompts>> = { de, en, es, fr, it, nl }

/** Prompts in the language itself if we have them, else English ones that ask for it; null: the language of the sources. */
export function promptsFor(language: string | null): Prompts {
  if (language === null) return { ...en, language: 'Write in the language of the material.' }
  const primary = language.split('-')[0]?.toLowerCase() ?? ''
  const own = Object.hasOwn(LANGUAGES, primary) ? LANGUAGES[primary] : undefined
  return own ?? { ...en, language: `Answer in ${englishName(language)}.` }
}

function englishName(language: string): string {
  try {
    return new Intl.DisplayNames('en', { type: 'language' }).of(language) ?? 'English'
  } catch {
    return 'English'
  }
}
