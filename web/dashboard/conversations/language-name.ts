import { locale } from '../words/language.ts'

const names = new Intl.DisplayNames(locale, { type: 'language' })

export function languageName(tag: string): string {
  try {
    return names.of(tag) ?? tag
  } catch {
    return tag
  }
}
