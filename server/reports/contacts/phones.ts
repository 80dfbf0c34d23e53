const SEPARATOR = String.raw`[ .\-/\u00A0\u2011]`
/** Digits after a separator. It is not optional, because a pattern of optional separators takes exponential time on "0000…". */
const group = (digits: string): string => String.raw`(?:(?:${SEPARATOR}{1,3}|(?<=\)))\(?${digits}\)?)`
/** "12-05-2024" has the digits of a telephone number. */
const DATE = String.raw`(?:\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}[./-]\d{1,2}[./-]\d{1,2})(?!\d|[./-]\d)`
/** "0900-1700" are opening hours. */
const HOURS = String.raw`(?:[01]\d|2[0-4])[0-5]\d ?- ?(?:[01]\d|2[0-4])[0-5]\d(?!\d)`
/** Prices and counts with groups of three digits. */
const AMOUNT = String.raw`(?! ?(?:%|€|£|\$|euros?|dollars?|pounds?|people|mensen|Menschen|Einwohner|personnes|habitants|personas|habitantes|persone|abitanti)(?!\p{L}))`

const FORMS = [
  // "+31 6 12345678", "0031 6 …"
  String.raw`(?:\+|00)\d{1,4}(?: ?\(0\))?${group(String.raw`\d{1,10}`)}{1,6}`,
  String.raw`(?:\+|00)\d{7,14}`,
  // National numbers with a trunk prefix: "06 12 34 56 78", "(030) 1234567".
  String.raw`\(?0\d{1,5}\)?${group(String.raw`\d{2,9}`)}{1,5}`,
  // Without one: Spain, Italian mobile phones, North America.
  String.raw`[6789]\d{2}${SEPARATOR}?\d{3}${SEPARATOR}?\d{3}`,
  String.raw`[6789]\d{2}(?:${SEPARATOR}?\d{2}){3}`,
  String.raw`3\d{2}${SEPARATOR}?\d{3}${SEPARATOR}?\d{3,4}`,
  String.raw`(?:\([2-9]\d{2}\) ?|[2-9]\d{2}${SEPARATOR})\d{3}${SEPARATOR}\d{4}`,
  String.raw`[2-9]\d{2}-\d{4}`,
  String.raw`6[ -]\d{8}`,
  String.raw`0\d{7,12}`,
  String.raw`\d{9,11}`,
]
const DIGITS = [
  'zero|oh|one|two|three|four|five|six|seven|eight|nine',
  'nul|een|één|twee|drie|vier|vijf|zes|zeven|acht|negen',
  'null|eins|zwei|zwo|drei|vier|fünf|sechs|sieben|acht|neun',
  'zéro|un|deux|trois|quatre|cinq|six|sept|huit|neuf',
  'cero|uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve',
  'zero|uno|due|tre|quattro|cinque|sei|sette|otto|nove',
].join('|')
/** So many spoken digits in a row are a number to call. */
const MIN_DIGITS = 7

/** Candidates; `isPhone` counts their digits. */
export const PHONES = new RegExp(
  [
    String.raw`(?<![\p{L}\p{N}+]|\d[.,:/-])(?!${DATE}|${HOURS})(?:${FORMS.join('|')})(?![\p{L}\p{N}]|[,:]\d)${AMOUNT}`,
    String.raw`(?<!\p{L})(?:(?:${DIGITS})[ ,-]+){${MIN_DIGITS - 1},}(?:${DIGITS})(?!\p{L})`,
  ].join('|'),
  'giu',
)

const MIN_LENGTH = 8
const MIN_LOCAL_LENGTH = 7

/** Whether a match has the digits of a telephone number: "00 45" and "0.12" have not. */
export function isPhone(match: string): boolean {
  const digits = match.replaceAll(/\D/g, '')
  if (digits === '') return true
  return digits.length >= (/^[2-9]\d{2}-\d{4}$/.test(match) ? MIN_LOCAL_LENGTH : MIN_LENGTH)
}
