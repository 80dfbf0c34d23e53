/** The languages of the dashboard, each named in itself. */
export const LANGUAGES = {
  en: 'English',
  nl: 'Nederlands',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
} as const

export type Language = keyof typeof LANGUAGES

const STORED = 'parley-language'

const isLanguage = (code: string | null | undefined): code is Language =>
  code != null && Object.hasOwn(LANGUAGES, code)

const codeOf = (locale: string): string => locale.split('-')[0]?.toLowerCase() ?? ''

/** The user's choice, else the first of the browser's languages that the dashboard has, else English. */
export function chooseLanguage(stored: string | null, browser: readonly string[]): Language {
  return isLanguage(stored) ? stored : (browser.map(codeOf).find(isLanguage) ?? 'en')
}

/** Storage is not available everywhere, for example with cookies blocked. */
function readStored(): string | null {
  try {
    return localStorage.getItem(STORED)
  } catch {
    return null
  }
}

export const language: Language = chooseLanguage(readStored(), navigator.languages)

/** For dates and numbers: as in the user's country, if the browser knows it. */
export const locale: string = navigator.languages.find((one) => codeOf(one) === language) ?? language

/** Opens the page again, because dates and numbers are formatted in many places. */
export function changeLanguage(to: Language): void {
  localStorage.setItem(STORED, to)
  location.reload()
}
