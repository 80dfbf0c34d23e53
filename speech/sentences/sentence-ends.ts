import { UNCONFIRMED_WORD } from '../types.ts'

/** Abbreviations before names and numbers, in languages with Latin and Cyrillic letters. Others are single letters. */
const ABBREVIATIONS = new Set(
  (
    'mr mrs ms dr prof st jr sr no vs ca nr dhr mevr mw ir drs ing bijv enz hr fr frau bzw usw evtl inkl ggf str abs art bd ' +
    'mme mlle mm sra srta dña sig dott avv ing pan pí např tzv atd ul пр ул им'
  ).split(' '),
)

const ENDS = /[.!?…]+["'”’»)\]]*$/u
/** These end a sentence without a space after them. */
const WIDE_ENDS = /[。！？][」』）”]*$/u
const DOT_ENDS = /\.["'”’»)\]]*$/u

/** Whether a sentence ends after `word`. `next` begins the rest. */
export function isSentenceEnd(word: string, next: string): boolean {
  if (WIDE_ENDS.test(word)) return true
  if (!ENDS.test(word)) return false
  // After a sentence comes a capital, a number, or a script without capitals.
  const first = /[\p{L}\p{N}]/u.exec(next)?.[0] ?? ''
  if (first !== first.toUpperCase()) return false
  return !(DOT_ENDS.test(word) && isAbbreviation(word))
}

/** Whether a sentence ends after `word` although a small letter follows: Moonshine sometimes begins a sentence with one. */
export const endsBeforeSmallLetter = (word: string): boolean =>
  /\p{L}[.!?]$/u.test(word) && !isAbbreviation(word) && !/^etc\.$/iu.test(word)

function isAbbreviation(word: string): boolean {
  const letters = word.replace(/\.[^.]*$/u, '').replaceAll(/^[^\p{L}\p{N}]+/gu, '')
  return ABBREVIATIONS.has(letters.toLowerCase()) || /^\p{L}(?:\.\p{L})*$/u.test(letters)
}

/** Whether a text ends with a sentence. */
export const endsSentence = (text: string): boolean =>
  ENDS.test(text) || WIDE_ENDS.test(text) || text.endsWith('।')

/** With a capital letter at the beginning, which changes no word. Names such as "iPhone" stay, and Dutch "'s avonds". */
export function capitalized(text: string, language: string | undefined): string {
  if (text.startsWith(UNCONFIRMED_WORD)) return text
  const [, before = '', first = '', rest = ''] = /^([^\p{L}\p{N}\s'’]*)(\p{Ll})(.*)$/su.exec(text) ?? []
  if (first === '' || /^\p{Lu}/u.test(rest)) return text
  const capital = first.toLocaleUpperCase(language)
  // "ß" would become two letters.
  return capital.length === first.length ? before + capital + rest : text
}
