import { localeOf } from './lexicon.ts'

/** The longest sentence that is picked whole: a transcript without full stops would be one. */
const MAX_CHARACTERS = 300
/** What comes after these belongs to them: they never end a sentence. */
const ABBREVIATIONS = new Set(
  (
    'mr mrs ms dr prof st jr sr vs approx e.g i.e fig nr art bzw ca z.b d.h u.a o.ä evtl ggf inkl ' +
    'bijv bv d.w.z o.a dhr mevr drs ir m.b.t mme mlle p.ex av p.ej sra ud uds dott sig ing avv'
  ).split(' '),
)
const LAST_WORD = /([\p{L}.]+)\.\s*$/u
const segmenters = new Map<string, Intl.Segmenter>()

/** The sentences of a text, each literally in it. */
export function sentencesOf(text: string, language: string | null): string[] {
  const sentences: string[] = []
  let held = ''
  for (const { segment } of segmenterFor(localeOf(language)).segment(text)) {
    held += segment
    if (endsInAbbreviation(held)) continue
    sentences.push(...shortened(held))
    held = ''
  }
  sentences.push(...shortened(held))
  return sentences
}

function segmenterFor(locale: string): Intl.Segmenter {
  const known = segmenters.get(locale)
  if (known) return known
  const made = new Intl.Segmenter(locale, { granularity: 'sentence' })
  segmenters.set(locale, made)
  return made
}

/** Also an initial, as in `J. Jansen`. */
function endsInAbbreviation(text: string): boolean {
  const word = LAST_WORD.exec(text.slice(-24))?.[1]?.toLowerCase()
  return word !== undefined && (ABBREVIATIONS.has(word) || /^\p{L}$/u.test(word))
}

/** A sentence without its outer white space, in parts where it is too long; nothing where there is nothing. */
function shortened(sentence: string): string[] {
  const parts: string[] = []
  let rest = sentence.trim()
  while (rest.length > MAX_CHARACTERS) {
    const at = breakBefore(rest, MAX_CHARACTERS)
    parts.push(rest.slice(0, at).trim())
    rest = rest.slice(at).trim()
  }
  if (rest !== '') parts.push(rest)
  return parts
}

/** After a comma, else at white space, in the second half; else anywhere but inside a character. */
export function breakBefore(text: string, limit: number): number {
  const head = text.slice(0, limit)
  const half = limit / 2
  const comma = Math.max(...[', ', '; ', ': ', '、', '，', '، '].map((mark) => head.lastIndexOf(mark)))
  if (comma > half) return comma + 1
  const space = head.search(/\s\S*$/)
  if (space > half) return space
  return isLowSurrogate(text.charCodeAt(limit)) ? limit - 1 : limit
}

const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff
