import { ar } from './ar.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { it } from './it.ts'
import { ja } from './ja.ts'
import type { InjectionWords, Language } from './language.ts'
import { lb } from './lb.ts'
import { nl } from './nl.ts'
import { pl } from './pl.ts'
import { pt } from './pt.ts'
import { ru } from './ru.ts'
import { zh } from './zh.ts'

const LANGUAGES: readonly Language[] = [ar, de, en, es, fr, it, ja, lb, nl, pl, pt, ru, zh]

export const languageOf = (code: string | null): Language | undefined =>
  LANGUAGES.find((language) => language.code === code)

/** The values of all languages: speech can be in another language than its label says. */
export const inAllLanguages = <Value>(get: (language: Language) => Value | undefined): Value[] =>
  LANGUAGES.flatMap((language) => get(language) ?? [])

/** All languages' patterns as one. */
export const anyOf = (get: (language: Language) => string | undefined): string =>
  inAllLanguages(get).join('|')

export const anyInjectionWord = (name: Exclude<keyof InjectionWords, 'unmistakable'>): string =>
  anyOf(({ injection }) => injection?.[name])
