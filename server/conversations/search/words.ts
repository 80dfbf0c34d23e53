/**
 * Splits texts and searches into words by the same rules. A search matches beginnings, so a text also has a word for each position
 * at which a search can begin: each part of "anna.kern@example.com", and each letter of a script without spaces.
 */

/** The limit for all words of a text together. PostgreSQL allows 1 MiB, but `array_to_tsvector` does not check it. */
const MAX_BYTES = 1_000_000
/** More words hardly narrow a search down. */
const MAX_QUERY_WORDS = 20
/** Characters of a word that are compared. */
const MAX_WORD_LENGTH = 60
/** A word has this many parts, in scripts without spaces this many ideograms or letters. */
const PARTS_PER_WORD = 12
const IDEOGRAMS_PER_WORD = 2
const LETTERS_PER_WORD = 3

/** Accents and vowel points of scripts in which people leave them out. Marks of other scripts, and of kana, count as letters. */
const ACCENT = String.raw`[[\p{M}&&[\p{sc=Inherited}\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Syriac}]]--[\u3099\u309a]]`
/** Unicode counts these among the letters. */
const APOSTROPHES = String.raw`\u02bb\u02bc`
const LETTER_OR_DIGIT = String.raw`[[\p{L}\p{M}\p{N}]--${ACCENT}--[${APOSTROPHES}]]`
const IDEOGRAM = String.raw`[${LETTER_OR_DIGIT}&&[\p{Ideographic}\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}]]`
/** A letter of an alphabet without spaces. */
const LETTER = String.raw`[${LETTER_OR_DIGIT}&&[\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}\p{scx=Tai_Tham}\p{scx=Tai_Le}\p{scx=New_Tai_Lue}\p{scx=Tai_Viet}]]`
/** A letter or a digit of all other scripts. */
const SPACED = `[${LETTER_OR_DIGIT}--${IDEOGRAM}--${LETTER}]`
/** Joins two parts of a word: don't, e-mail, example.com, 1,000. The joiner of Persian is invisible. */
const JOINT = String.raw`(?:['"’״׳·.@_\p{Pd}\u200b\u200c${APOSTROPHES}]|(?<=\p{Nd}),(?=\p{Nd}))`

const RUNS = new RegExp(`${IDEOGRAM}+|${LETTER}+|${SPACED}+(?:${JOINT}${SPACED}+)*`, 'gv')
const IS_IDEOGRAMS = new RegExp(`^${IDEOGRAM}`, 'v')
const IS_LETTERS = new RegExp(`^${LETTER}`, 'v')
/** The letters of a script without spaces, each with its vowels and tones. */
const LETTERS = /.\p{Mn}*/gsv
/** Parts of words that are also indexed separately: 320 of A320, km of 5km, a Korean name after Latin letters. */
const PARTS = new RegExp(
  [
    String.raw`\p{N}[\p{N}\p{M}]*`,
    String.raw`\p{sc=Hangul}[\p{sc=Hangul}\p{M}]*`,
    String.raw`[\p{L}--[\p{sc=Hangul}${APOSTROPHES}]][[\p{L}\p{M}]--[\p{sc=Hangul}${APOSTROPHES}]]*`,
  ].join('|'),
  'gv',
)

/** Invisible characters, and the stroke that makes Arabic words longer. */
const INVISIBLE = String.raw`[[\p{Default_Ignorable_Code_Point}\u0640]--[\u200b\u200c]]`
/** Invisible spaces between the words of scripts that have no spaces. */
const ZERO_WIDTH_SPACES = String.raw`(?<=${IDEOGRAM}|${LETTER})[\u200b\u200c]+`
const IGNORED = new RegExp(`[${ACCENT}${INVISIBLE}]|${ZERO_WIDTH_SPACES}`, 'gv')

/** Adjacent characters without a space or punctuation, split into units: parts, or letters of a script without spaces. */
interface Run {
  units: string[]
  unitsPerWord: number
}

/**
 * The words of a text, as many as PostgreSQL can store. 800,000 characters take 60 ms in English and 400 ms in Chinese or Korean;
 * an hour of speech has 60,000.
 */
export function wordsOf(text: string): string[] {
  const words = new Set<string>()
  let bytes = 0
  for (const run of runsOf(text))
    for (const word of fromEachPosition(run)) {
      if (words.has(word)) continue
      bytes += Buffer.byteLength(word)
      if (bytes > MAX_BYTES) return [...words]
      words.add(word)
    }
  return [...words]
}

/** The words of a search: a text matches if each of them is the prefix of one of its words. Empty for punctuation alone. */
export const queryWords = (text: string): string[] =>
  [...new Set(runsOf(text).flatMap(wholeWords))].slice(0, MAX_QUERY_WORDS)

/** Without duplicates, because most words occur many times. */
const runsOf = (text: string): IteratorObject<Run> =>
  new Set(normalized(text).match(RUNS)).values().map(toRun)

/** Maps different spellings to one: CAFÉ and cafe, Straße and STRASSE, full-width and ASCII digits. */
const normalized = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(IGNORED, '')
    // ẞ becomes SS only from its small form ß. Sigma has a different form at the end of a word.
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .normalize('NFC')

function toRun(text: string): Run {
  if (IS_IDEOGRAMS.test(text)) return { units: text.match(LETTERS) ?? [], unitsPerWord: IDEOGRAMS_PER_WORD }
  if (IS_LETTERS.test(text)) return { units: text.match(LETTERS) ?? [], unitsPerWord: LETTERS_PER_WORD }
  return { units: text.match(PARTS) ?? [], unitsPerWord: PARTS_PER_WORD }
}

function* fromEachPosition({ units, unitsPerWord }: Run): Generator<string> {
  const joined = units.join('')
  let start = 0
  let end = units.slice(0, unitsPerWord).join('').length
  for (const [position, unit] of units.entries()) {
    yield truncate(joined.slice(start, end))
    start += unit.length
    end += units[position + unitsPerWord]?.length ?? 0
  }
}

/** Omits the last words, which are shorter and contained in those before them. */
const wholeWords = (run: Run): Iterable<string> =>
  fromEachPosition(run).take(Math.max(1, run.units.length - run.unitsPerWord + 1))

/** Counts characters, not UTF-16 code units, which could split a surrogate pair. */
const truncate = (word: string): string =>
  word.length <= MAX_WORD_LENGTH
    ? word
    : Array.from(word.slice(0, 2 * MAX_WORD_LENGTH))
        .slice(0, MAX_WORD_LENGTH)
        .join('')

/** A word in every conversation of a project. It starts with a space, so that no search can contain it. */
export const projectWord = (projectId: string): string => ` ${projectId}`

/** A `tsquery` for the conversations of a project that have a word with each of these prefixes. */
export const wordQuery = (projectId: string, words: string[]): string =>
  [`'${projectWord(projectId)}'`, ...words.map(prefixLexeme)].join(' & ')

/** A quoted lexeme of a `tsquery`, matched as a prefix. */
export const prefixLexeme = (word: string): string => `'${word.replaceAll(/['\\]/g, '$&$&')}':*`
