import type { Passage } from '../passages.ts'
import { knownCompounds } from '../subjects/compounds.ts'
import { subjectWords } from '../subjects/index.ts'
import { type Compound, distinctCompounds } from './distinct-compounds.ts'
import { isNeutral } from './neutral-modifiers.ts'
import { isGeneric, stemOf } from './stems.ts'

/** Shorter beginnings and ends are inflections. */
const MIN_MODIFIER = 3
const MIN_REST = 4

/** German and Dutch compounds that are about another subject than the words in them get a root of their own: "Fahrschule". */
export function withDistinctCompounds(
  roots: ReadonlyMap<string, string>,
  passages: readonly Passage[],
): Map<string, string> {
  const language = passages[0]?.locale ?? ''
  const subjects = new Map([...subjectWords(language)].map(([word, id]) => [stemOf(word, language), id]))
  // "Kindergarten" and "Garten" are in the lists, and not the same subject there.
  const isKnown = (stem: string, root: string) =>
    knownCompounds(language).has(stem) ||
    (subjects.has(stem) && subjects.has(root) && subjects.get(stem) !== subjects.get(root))
  const compounds = new Map<string, Compound>()
  for (const [stem, root] of roots) {
    const compound = isKnown(stem, root) ? null : compoundOf(stem, root, language)
    if (compound) compounds.set(stem, compound)
  }
  const uses = passages.map(({ conversation, keys, locale }) => {
    const stems = keys.filter((key) => !isGeneric(key, locale)).map((key) => stemOf(key, locale))
    return {
      conversation,
      compounds: stems.filter((stem) => compounds.has(stem)),
      words: stems.filter((stem) => !compounds.has(stem)).map((stem) => roots.get(stem) ?? stem),
    }
  })
  const own = distinctCompounds(uses, compounds)
  return new Map([...roots].map(([stem, root]) => [stem, own.has(stem) || isKnown(stem, root) ? stem : root]))
}

function compoundOf(stem: string, root: string, locale: string): Compound | null {
  const rest = stem.length - root.length
  if (rest >= MIN_MODIFIER && stem.endsWith(root)) {
    const modifier = stem.slice(0, rest)
    return isNeutral(modifier, locale) ? null : { parts: [root], head: root, modifier, isFixed: true }
  }
  if (rest >= MIN_REST && stem.startsWith(root))
    return { parts: [root], head: stem.slice(root.length), modifier: root, isFixed: true }
  return null
}
