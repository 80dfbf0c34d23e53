/**
 * The one way in which a text and a search are cut into words, so that a search finds the text as people see it. A search
 * matches beginnings; therefore a text's words are taken from every place at which one may begin to read: from each part of
 * "anna.kern@example.com", and from each letter where a script has no blanks between words.
 */

/** Bytes of one text's words. PostgreSQL counts to 1 MiB, and `array_to_tsvector` does not look whether there are more. */
const MAX_BYTES = 1_000_000
/** Words of one search; what comes after them narrows nothing down. */
const MAX_QUERY_WORDS = 20

/** So many letters of a word count. */
const LONGEST = 60
/** So many parts in a row are a word. */
const PARTS_A_WORD = 12
/** So many letters in a row are a word where there are no blanks. Of an alphabet it takes more to say something. */
const IDEOGRAMS_A_WORD = 2
const LETTERS_A_WORD = 3

/** Accents and points of scripts in which people leave them out. Marks of other scripts, and of kana, are as good as letters. */
const ACCENT = String.raw`[[\p{M}&&[\p{sc=Inherited}\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Syriac}]]--[\u3099\u309a]]`
/** Unicode counts these among the letters. */
const APOSTROPHES = String.raw`\u02bb\u02bc`
const ANY = String.raw`[[\p{L}\p{M}\p{N}]--${ACCENT}--[${APOSTROPHES}]]`
const IDEOGRAM = String.raw`[${ANY}&&[\p{Ideographic}\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}]]`
/** Of the alphabets without blanks. */
const LETTER = String.raw`[${ANY}&&[\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}\p{scx=Tai_Tham}\p{scx=Tai_Le}\p{scx=New_Tai_Lue}\p{scx=Tai_Viet}]]`
/** A letter or a digit of all others. */
const SPACED = `[${ANY}--${IDEOGRAM}--${LETTER}]`
/** One of these holds two parts together: don't, e-mail, example.com, 1,000. Persian has an invisible one. */
const JOINT = String.raw`(?:['"’״׳·.@_\p{Pd}\u200b\u200c${APOSTROPHES}]|(?<=\p{Nd}),(?=\p{Nd}))`

const RUNS = new RegExp(`${IDEOGRAM}+|${LETTER}+|${SPACED}+(?:${JOINT}${SPACED}+)*`, 'gv')
const IS_IDEOGRAMS = new RegExp(`^${IDEOGRAM}`, 'v')
const IS_LETTERS = new RegExp(`^${LETTER}`, 'v')
/** Of a script without blanks, each with its vowels and tones. */
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

/** And the stroke that makes Arabic words longer. */
const UNSEEN = String.raw`[[\p{Default_Ignorable_Code_Point}\u0640]--[\u200b\u200c]]`
/** Invisible spaces between the words of scripts that have no spaces. */
const UNSEEN_BLANKS = String.raw`(?<=${IDEOGRAM}|${LETTER})[\u200b\u200c]+`
const IGNORED = new RegExp(`[${ACCENT}${UNSEEN}]|${UNSEEN_BLANKS}`, 'gv')

/** What belongs together in a text, in its pieces. So many pieces in a row are a word. */
interface Run {
  pieces: string[]
  width: number
}

/**
 * The words by which a text is found, the first ones if there are more than PostgreSQL can keep. To cut 800,000 characters takes
 * 60 ms of English, 130 of German and 400 of Chinese or Korean; an hour of speech has 60,000.
 */
export function wordsOf(text: string): string[] {
  const words = new Set<string>()
  let bytes = 0
  for (const run of runsOf(text))
    for (const word of fromEachPlace(run)) {
      if (words.has(word)) continue
      bytes += Buffer.byteLength(word)
      if (bytes > MAX_BYTES) return [...words]
      words.add(word)
    }
  return [...words]
}

/** What somebody looks for: words of a text begin like each of these. None where there is nothing but punctuation. */
export function wordsAsked(text: string): string[] {
  const words = new Set<string>()
  for (const run of runsOf(text)) for (const word of wholeWords(run)) words.add(word)
  return [...words].slice(0, MAX_QUERY_WORDS)
}

/** Each once: people say most words again and again. */
function* runsOf(text: string): Generator<Run> {
  for (const run of new Set(alike(text).match(RUNS))) yield toRun(run)
}

/** As all ways to write the same become: CAFÉ and cafe, Straße and STRASSE, full-width digits and others. */
const alike = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(IGNORED, '')
    // A large ẞ is two letters only by way of the small one. At the end of a word a sigma has another form.
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .normalize('NFC')

function toRun(text: string): Run {
  if (IS_IDEOGRAMS.test(text)) return { pieces: text.match(LETTERS) ?? [], width: IDEOGRAMS_A_WORD }
  if (IS_LETTERS.test(text)) return { pieces: text.match(LETTERS) ?? [], width: LETTERS_A_WORD }
  return { pieces: text.match(PARTS) ?? [], width: PARTS_A_WORD }
}

function* fromEachPlace({ pieces, width }: Run): Generator<string> {
  const joined = pieces.join('')
  let start = 0
  let end = pieces.slice(0, width).join('').length
  for (const [place, piece] of pieces.entries()) {
    yield cut(joined.slice(start, end))
    start += piece.length
    end += pieces[place + width]?.length ?? 0
  }
}

/** Not the last ones, which are shorter: they would say again what those before them say. */
const wholeWords = (run: Run): string[] =>
  [...fromEachPlace(run)].slice(0, Math.max(1, run.pieces.length - run.width + 1))

const cut = (word: string): string =>
  word.length <= LONGEST
    ? word
    : Array.from(word.slice(0, 2 * LONGEST))
        .slice(0, LONGEST)
        .join('')
