import { primaryLanguage } from '../../platform/language-tag.ts'

/**
 * The language to transcribe, as ISO 639-1: the participant's choice, else the project's. Null if the project offers several: then the
 * engine detects it.
 */
export function languageOf(
  conversation: { language: string | null },
  project: { language: string; languages: string[] },
): string | null {
  if (conversation.language !== null) return primaryLanguage(conversation.language)
  return project.languages.some((other) => primaryLanguage(other) !== primaryLanguage(project.language))
    ? null
    : primaryLanguage(project.language)
}

/** The languages that the engine chooses from when it detects the language: those of the project. */
export const candidatesOf = (project: { language: string; languages: string[] }): string[] => [
  ...new Set([project.language, ...project.languages].map(primaryLanguage)),
]
