/**
 * Splits texts and searches into words by the same rules. A search matches beginnings, so a text also has a word for each position
 * at which a reader can begin: each part of "anna.kern@example.com", and each letter of a script without spaces.
 */

/** Bytes of one text's words. PostgreSQL allows 1 MiB, but `array_to_tsvector` does not check it. */
const MAX_BYTES = 1_000_000
/** Further words of a search hardly narrow it down. */
const MAX_QUERY_WORDS = 20
/** Characters of a word that are compared. */
const MAX_WORD_LENGTH = 60
/** A word has this many parts; in scripts without spaces this many ideograms, or letters of an alphabet. */
const PARTS_PER_WORD = 12
const IDEOGRAMS_PER_WORD = 2
const LETTERS_PER_WORD = 3

/** Accents and vowel points of scripts in which people leave them out. Marks of other scripts, and of kana, count as letters. */
const ACCENT = String.raw`[[\p{M}&&[\p{sc=Inherited}\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Syriac}]]--[\u3099\u309a]]`
/** Unicode counts these among the letters. */
const APOSTROPHES = String.raw`\u02bb\u02bc`
const ANY = String.raw`[[\p{L}\p{M}\p{N}]--${ACCENT}--[${APOSTROPHES}]]`
const IDEOGRAM = String.raw`[${ANY}&&[\p{Ideographic}\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}]]`
/** Of the alphabets without spaces. */
const LETTER = String.raw`[${ANY}&&[\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}\p{scx=Tai_Tham}\p{scx=Tai_Le}\p{scx=New_Tai_Lue}\p{scx=Tai_Viet}]]`
/** A letter or a digit of all other scripts. */
const SPACED = `[${ANY}--${IDEOGRAM}--${LETTER}]`
/** Joins two parts: don't, e-mail, example.com, 1,000. Persian has an invisible one. */
const JOINT = String.raw`(?:['"’״׳·.@_\p{Pd}\u200b\u200c${APOSTROPHES}]|(?<=\p{Nd}),(?=\p{Nd}))`

const RUNS = new RegExp(`${IDEOGRAM}+|${LETTER}+|${SPACED}+(?:${JOINT}${SPACED}+)*`, 'gv')
const IS_IDEOGRAMS = new RegExp(`^${IDEOGRAM}`, 'v')
const IS_LETTERS = new RegExp(`^${LETTER}`, 'v')
/** Of a script without spaces, each with its vowels and tones. */
const LETTERS = /.\p{Mn}*/gsv
/** Also indexed separately: 320 of A320, km of 5km, a Korean name behind Latin letters. */
const PARTS = new RegExp(
  [
    String.raw`\p{N}[\p{N}\p{M}]*`,
    String.raw`\p{sc=Hangul}[\p{sc=Hangul}\p{M}]*`,
    String.raw`[\p{L}--[\p{sc=Hangul}${APOSTROPHES}]][[\p{L}\p{M}]--[\p{sc=Hangul}${APOSTROPHES}]]*`,
  ].join('|'),
  'gv',
)

/** Invisible characters, and the stroke that makes Arabic words longer. */
const UNSEEN = String.raw`[[\p{Default_Ignorable_Code_Point}\u0640]--[\u200b\u200c]]`
/** Invisible spaces between the words of scripts that have no spaces. */
const UNSEEN_BLANKS = String.raw`(?<=${IDEOGRAM}|${LETTER})[\u200b\u200c]+`
const IGNORED = new RegExp(`[${ACCENT}${UNSEEN}]|${UNSEEN_BLANKS}`, 'gv')

/** Adjacent characters without a space or punctuation, split into parts or letters. `width` of them in a row are a word. */
interface Run {
  pieces: string[]
  width: number
}

/** At most what PostgreSQL can store. 800,000 characters take 60 ms in English, 400 in Chinese or Korean; an hour of speech has 60,000. */
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

/** The words of a search; a text must have a word that begins like each of them. Empty for punctuation alone. */
export const wordsAsked = (text: string): string[] =>
  [...new Set(runsOf(text).flatMap(wholeWords))].slice(0, MAX_QUERY_WORDS)

/** Each once, because most words occur many times. */
const runsOf = (text: string): IteratorObject<Run> =>
  new Set(normalized(text).match(RUNS)).values().map(toRun)

/** All spellings become the same: CAFÉ and cafe, Straße and STRASSE, full-width digits and others. */
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
  if (IS_IDEOGRAMS.test(text)) return { pieces: text.match(LETTERS) ?? [], width: IDEOGRAMS_PER_WORD }
  if (IS_LETTERS.test(text)) return { pieces: text.match(LETTERS) ?? [], width: LETTERS_PER_WORD }
  return { pieces: text.match(PARTS) ?? [], width: PARTS_PER_WORD }
}

function* fromEachPosition({ pieces, width }: Run): Generator<string> {
  const joined = pieces.join('')
  let start = 0
  let end = pieces.slice(0, width).join('').length
  for (const [position, piece] of pieces.entries()) {
    yield cut(joined.slice(start, end))
    start += piece.length
    end += pieces[position + width]?.length ?? 0
  }
}

/** Without the last words, which are shorter and contained in those before them. */
const wholeWords = (run: Run): Iterable<string> =>
  fromEachPosition(run).take(Math.max(1, run.pieces.length - run.width + 1))

/** By characters, not by UTF-16 units, which would cut an astral character in half. */
const cut = (word: string): string =>
  word.length <= MAX_WORD_LENGTH
    ? word
    : Array.from(word.slice(0, 2 * MAX_WORD_LENGTH))
        .slice(0, MAX_WORD_LENGTH)
        .join('')

/** A word in every conversation of a project. It starts with a space, so that no search can contain it. */
export const projectWord = (projectId: string): string => ` ${projectId}`

/** A `tsquery` for the conversations of a project that have a word beginning like each of these. */
export const wordQuery = (projectId: string, words: string[]): string =>
  [`'${projectWord(projectId)}'`, ...words.map(beginning)].join(' & ')

/** A quoted lexeme of a `tsquery`, matched as a prefix. */
export const beginning = (word: string): string => `'${word.replaceAll(/['\\]/g, '$&$&')}':*`
