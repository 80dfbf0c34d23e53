import { memoized, words } from '../../../../../grounding/languages/language.ts'
import { de } from './de.ts'
import { en, type Subjects } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { it } from './it.ts'
import { nl } from './nl.ts'

const LANGUAGES: Readonly<Record<string, Subjects>> = { de, en, es, fr, it, nl }

/** The words of a language for subjects that other languages have words for, with the id of the subject. */
export const subjectWords = memoized((locale: string): ReadonlyMap<string, string> => {
  const entries = Object.entries(LANGUAGES[locale] ?? {})
  return new Map(
    entries.flatMap(([subject, entry]) =>
      words(entry.split(': ').at(-1) ?? '').map((word) => [word.toLowerCase(), `@${subject}`] as const),
    ),
  )
})

/**
 * The wider subject, in a report on one language. There, `distinctCompounds` decides whether "bike lanes" and "bikes" are two subjects.
 */
export const widerSubject = (root: string | undefined): string | undefined =>
  root === '@cyclepath' ? '@bicycle' : root

export const isKnownSubject = (root: string): boolean => root.startsWith('@')

/** The subject that a word of any language names: tags can be in another language than the conversation. */
export const subjectOfTag = (word: string): string | undefined => ALL.get(word)

const ALL: ReadonlyMap<string, string> = new Map(
  Object.keys(LANGUAGES).flatMap((locale) => [...subjectWords(locale)]),
)

/** The name of a subject in a language; null for a word that is not a subject in these lists, and for other languages. */
export function subjectName(root: string, language: string): string | null {
  const entry = isKnownSubject(root) ? LANGUAGES[language]?.[root.slice(1) as keyof Subjects] : undefined
  const [name = '', list] = entry?.split(': ') ?? []
  return (list === undefined ? words(name)[0] : name) || null
}
