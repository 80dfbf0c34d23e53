import { memoized, withoutAccents, words } from '../../../../../grounding/languages/language.ts'
import { isNumberWord } from '../../../../../grounding/numbers/number-words.ts'
import { cuesOf } from '../languages/index.ts'
import { isFunctionWord } from './function-words.ts'

const MIN_STEM = 3

/** The stem that a word shares with its inflected forms, without accents and doubled letters. */
export const stemOf = (word: string, locale: string): string => stemmerFor(locale)(word)

/** Two words that name one thing have one root: "car park". */
export const isPhrase = (root: string): boolean => root.includes(' ')

const stemmerFor = memoized((locale: string) => {
  const endings = cuesOf(locale)?.endings.split(' ') ?? []
  const families =
    cuesOf(locale)
      ?.unrelated?.split('|')
      .map((family) => family.split(' ')) ?? []
  const stem = (word: string): string => {
    const plain = withoutAccents(word)
    const family = families.find((one) => one.some((beginning) => plain.startsWith(beginning)))
    // The sign keeps it apart from the words that it looks like.
    if (family) return `=${family[0]}`
    const ending = endings.find((one) => plain.endsWith(one) && plain.length - one.length >= MIN_STEM)
    // "swim" and "swimming", "boom" and "bomen" differ in doubled letters, too.
    return plain.slice(0, plain.length - (ending?.length ?? 0)).replace(/(\p{L})\1+/gu, '$1')
  }
  return remembered((word) => word.split(' ').map(stem).join(' '))
})

const MAX_REMEMBERED = 50_000

/** Computes the value of each word once. Forgets all when there are too many: names and misheard words are without limit. */
function remembered<Value>(compute: (word: string) => Value): (word: string) => Value {
  const values = new Map<string, Value>()
  return (word) => {
    const known = values.get(word)
    if (known !== undefined) return known
    if (values.size >= MAX_REMEMBERED) values.clear()
    const value = compute(word)
    values.set(word, value)
    return value
  }
}

/** Whether a word names no subject: people, time, place, numbers, everyday verbs, and words of wishes and worries. */
export const isGeneric = (word: string, locale: string): boolean => genericFor(locale)(word)

const genericFor = memoized((locale: string): ((word: string) => boolean) => {
  const cues = cuesOf(locale)
  if (!cues) return (word) => isFunctionWord(word, locale)
  const { generic, openers, particles, asks, objects, worries } = cues
  const listed = new Set([...words(generic), ...openers.split('|'), ...particles.split('|')])
  const wish = new RegExp(`^(?:${asks}|${objects}|${worries})$`, 'iu')
  return remembered(
    (word) =>
      listed.has(word) || isFunctionWord(word, locale) || isNumberWord(word, locale) || wish.test(word),
  )
})

const MIN_PART = 4
const SHARED_BEGINNING = 6

/** Words of one family get one root, the most frequent first: `Sperrmüll` and `Mülltonne` that of `Müll`. */
export function rootsOf(stems: readonly string[], hasCompounds: boolean): Map<string, string> {
  const roots = new Map<string, string>()
  const byBeginning = new Map<string, string>()
  for (const stem of stems) {
    const root = relatedRoot(stem, roots, byBeginning, hasCompounds) ?? stem
    roots.set(stem, root)
    if (root !== stem) continue
    for (let end = MIN_PART; end <= stem.length; end++) {
      const beginning = stem.slice(0, end)
      if (!byBeginning.has(beginning)) byBeginning.set(beginning, stem)
    }
  }
  return roots
}

function relatedRoot(
  stem: string,
  roots: ReadonlyMap<string, string>,
  byBeginning: ReadonlyMap<string, string>,
  hasCompounds: boolean,
): string | undefined {
  const shortest = hasCompounds ? MIN_STEM : MIN_PART
  // Without compounds, a longer word with the same beginning is often another word: "market" and "mark".
  const longest = hasCompounds ? stem.length : Math.max(SHARED_BEGINNING, stem.length - 3)
  for (let end = stem.length - 1; end >= shortest; end--) {
    if (!hasCompounds && end < longest) break
    const root = roots.get(stem.slice(0, end))
    if (root !== undefined) return root
  }
  if (hasCompounds)
    for (let start = 2; start <= stem.length - MIN_STEM; start++) {
      // A short word needs a long one before it: "Fahrrad" contains "Rad", but "Preis" not "Eis".
      const root =
        start >= MIN_PART || stem.length - start >= MIN_PART ? roots.get(stem.slice(start)) : undefined
      if (root !== undefined) return root
    }
  const longer = byBeginning.get(stem.length > SHARED_BEGINNING ? stem.slice(0, SHARED_BEGINNING) : stem)
  return longer !== undefined && (hasCompounds || Math.abs(longer.length - stem.length) <= SHARED_BEGINNING)
    ? longer
    : undefined
}
