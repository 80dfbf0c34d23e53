import { memoized } from '../../../../../grounding/languages/language.ts'
import { cuesOf } from '../languages/index.ts'
import type { Passage } from '../passages.ts'

/** Verbs that look like a noun for another subject, and a word for their own. */
const VERBS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  en: { park: 'parking', parks: 'parking' },
}
/** People and things before such a verb: "cars park on the grass". */
const ACTORS: Readonly<Record<string, string>> = {
  en: 'cars|vans|lorries|trucks|people|everyone|everybody|someone|drivers|parents|visitors|customers|neighbours|residents|teachers|nurses|staff|always|never|even|just|all',
}

/** The sentence with another word for such a verb: "I can never park here" is not about the park. */
export function withoutHomonyms(passage: Passage): Passage {
  const { text, terms, locale } = passage
  const verbs = VERBS[locale]
  if (verbs === undefined || !terms.some((term) => term && term.key in verbs)) return passage
  let end = 0
  const changed = terms.map((term) => {
    if (term === null) return null
    const start = text.indexOf(term.surface, end)
    end = start < 0 ? end : start + term.surface.length
    const verb = verbs[term.key]
    return verb !== undefined && precedingVerb(locale).test(text.slice(0, Math.max(0, start)))
      ? { ...term, key: verb }
      : term
  })
  return { ...passage, terms: changed, keys: changed.flatMap((term) => term?.key ?? []) }
}

const precedingVerb = memoized((locale: string): RegExp => {
  const words = [cuesOf(locale)?.beforeVerbs.replaceAll(' ', '|'), ACTORS[locale]].filter(Boolean)
  return new RegExp(`(?<![\\p{L}'’])(?:${words.join('|')}) $`, 'iu')
})
