import { primaryLanguage } from '../../platform/language-tag.ts'
import { invalidInput } from '../api/problems.ts'

/** Regional forms count as the same language, because recognition does not distinguish them: a project with `en` offers `en-US`. */
export function requireOffered(
  project: { language: string; languages: readonly string[] },
  language: string | null | undefined,
): void {
  if (language == null) return
  const offered = [project.language, ...project.languages]
  if (!offered.some((one) => primaryLanguage(one) === primaryLanguage(language)))
    throw invalidInput({
      path: 'language',
      message: 'must be the language of the project or one of its languages',
    })
}
