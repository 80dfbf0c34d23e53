import { invalidInput } from '../api/problems.ts'
import { isKnownLanguage, primaryLanguage } from '../engines/language-tag.ts'
import { AUTO } from '../tenancy/index.ts'

/**
 * Checks the choice of a participant or host; speech in another language is transcribed anyway. A project that detects languages and
 * lists none accepts any. Regional forms count as the same language, because recognition does not distinguish them: a project with
 * `en` offers `en-US`.
 */
export function requireOffered(
  project: { language: string; languages: readonly string[] },
  language: string | null | undefined,
): void {
  if (language == null) return
  const offered = [project.language, ...project.languages].filter((one) => one !== AUTO)
  if (offered.length === 0 && isKnownLanguage(language)) return
  if (!offered.some((one) => primaryLanguage(one) === primaryLanguage(language)))
    throw invalidInput({
      path: 'language',
      message:
        offered.length === 0
          ? 'is not a known language'
          : 'must be the language of the project or one of its languages',
    })
}
