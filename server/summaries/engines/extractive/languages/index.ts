import type { Cues } from './cues.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { it } from './it.ts'
import { nl } from './nl.ts'

export const LANGUAGES: readonly Cues[] = [de, en, es, fr, it, nl]

/** Undefined for a language without data: its sentences are ranked by their words alone. */
export const cuesOf = (code: string): Cues | undefined => LANGUAGES.find((cues) => cues.code === code)
