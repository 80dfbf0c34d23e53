import { primaryLanguage } from '../../platform/language-tag.ts'

/**
 * The language to hear, as ISO 639-1: the participant's choice, else the project's. A project that offers several leaves
 * it to the engine to find out which.
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

/** Which it may be, where it is found out: those that the project offers. */
export const candidatesOf = (project: { language: string; languages: string[] }): string[] => [
  ...new Set([project.language, ...project.languages].map(primaryLanguage)),
]
