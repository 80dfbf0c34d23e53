/** Languages that whisper does not name by their ISO 639-1 code. */
const WHISPER_NAMES = new Map([
  ['jv', 'jw'],
  ['nb', 'no'],
  ['fil', 'tl'],
])

/** The 99 languages that whisper-base was trained on, by ISO 639 code. */
export const LANGUAGES: readonly string[] = (
  'af am ar as az ba be bg bn bo br bs ca cs cy da de el en es et eu fa fi fo fr gl gu ha haw he hi hr ht hu hy id is it ' +
  'ja jv ka kk km kn ko la lb ln lo lt lv mg mi mk ml mn mr ms mt my ne nl nn no oc pa pl ps pt ro ru sa sd si sk sl sn ' +
  'so sq sr su sv sw ta te tg th tk tl tr tt uk ur uz vi yi yo zh'
).split(' ')

export const speaks = (code: string): boolean => LANGUAGES.includes(code) || WHISPER_NAMES.has(code)

export const whisperNameOf = (code: string): string => WHISPER_NAMES.get(code) ?? code

export const codeOfWhisperName = (name: string): string => (name === 'jw' ? 'jv' : name)

/** One code for each language of whisper. */
export const canonicalCode = (code: string): string => codeOfWhisperName(whisperNameOf(code))
