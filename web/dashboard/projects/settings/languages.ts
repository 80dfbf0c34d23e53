/** The languages that the speech models know. Others can be set by the API, and stay. */
const TAGS =
  'af am ar az be bg bn bs ca cs cy da de el en es et eu fa fi fr gl gu he hi hr ht hu hy id is it ja ka kk km kn ko lb lo lt lv mi mk ml mn mr ms mt my ne nl no oc pa pl ps pt ro ru sd si sk sl sn so sq sr su sv sw ta te tg th tk tl tr tt uk ur uz vi yi yo zh'.split(
    ' ',
  )

/** In the language of the dashboard. */
const own = (): string => document.documentElement.lang || 'en'
const names = (): Intl.DisplayNames => new Intl.DisplayNames([own()], { type: 'language' })

export const nameOfLanguage = (tag: string): string => names().of(tag) ?? tag

/** Sorted by name. */
export function languageOptions(used: readonly string[]): { value: string; label: string }[] {
  const known = names()
  return [...new Set([...TAGS, ...used])]
    .map((value) => ({ value, label: known.of(value) ?? value }))
    .sort((one, other) => one.label.localeCompare(other.label, own()))
}
