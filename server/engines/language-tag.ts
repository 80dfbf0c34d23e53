import { lazy } from '../lazy.ts'

/** `pt` for `pt-BR`: speech models know only the primary language. */
export const primaryLanguage = (tag: string): string => tag.split('-')[0]?.toLowerCase() ?? tag

const names = lazy(() => new Intl.DisplayNames('en', { type: 'language', fallback: 'none' }))

/** Whether ICU knows the language. A typo such as `xx` would otherwise fail only in transcription. */
export function isKnownLanguage(tag: string): boolean {
  const language = primaryLanguage(tag)
  // Intl throws for text that is not a language code.
  return /^[a-z]{2,3}$/.test(language) && names().of(language) !== undefined
}
