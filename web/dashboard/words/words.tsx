import { createContext, type ReactNode, useContext } from 'react'
import { en, type Words } from './en/index.ts'
import { type Language, language } from './language.ts'

const CATALOGUES: Record<Exclude<Language, 'en'>, () => Promise<Words>> = {
  nl: async () => (await import('./nl/index.ts')).nl,
  de: async () => (await import('./de/index.ts')).de,
  fr: async () => (await import('./fr/index.ts')).fr,
  es: async () => (await import('./es/index.ts')).es,
}

/** English if the file of the language cannot be loaded: a page in English is better than none. */
export async function loadWords(): Promise<Words> {
  document.documentElement.lang = language
  if (language === 'en') return en
  return CATALOGUES[language]().catch(() => en)
}

const Context = createContext<Words>(en)

export const WordsProvider = ({ words, children }: { words: Words; children: ReactNode }): ReactNode => (
  <Context value={words}>{children}</Context>
)

/** The texts in the user's language. */
export const useWords = (): Words => useContext(Context)
