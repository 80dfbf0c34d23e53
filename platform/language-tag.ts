/** `pt` of `pt-BR`: what engines transcribe by. */
export const primaryLanguage = (tag: string): string => tag.split('-')[0]?.toLowerCase() ?? tag

const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })

/** Whether there is such a language, by ICU's list: a typo such as `xx` would fail only when it is transcribed. */
export function isKnownLanguage(tag: string): boolean {
  const language = primaryLanguage(tag)
  // Intl throws for what is not a language code at all.
  return /^[a-z]{2,3}$/.test(language) && names.of(language) !== undefined
}
