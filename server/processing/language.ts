/**
 * The language to hear, as ISO 639-1: the participant's choice, else the project's. A project that offers several leaves
 * it to the engine to find out which.
 */
export function languageOf(
  conversation: { language: string | null },
  project: { language: string; languages: string[] },
): string | null {
  if (conversation.language !== null) return primary(conversation.language)
  return project.languages.some((other) => primary(other) !== primary(project.language))
    ? null
    : primary(project.language)
}

/** `pt` of `pt-BR`. */
const primary = (tag: string): string => tag.split('-')[0]?.toLowerCase() ?? tag
