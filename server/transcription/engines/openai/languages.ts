/** The languages of Whisper models, as ISO 639-1 codes. */
const CODES = (
  'af am ar as az ba be bg bn bo br bs ca cs cy da de el en es et eu fa fi fo fr gl gu ha he hi hr ht hu hy id is it ' +
  'ja jv ka kk km kn ko la lb ln lo lt lv mg mi mk ml mn mr ms mt my ne nl nn no oc pa pl ps pt ro ru sa sd si sk sl ' +
  'sn so sq sr su sv sw ta te tg th tk tl tr tt uk ur uz vi yi yo zh'
).split(' ')

/** Names that differ from the usual English one. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  burmese: 'my',
  myanmar: 'my',
  cantonese: 'zh',
  castilian: 'es',
  flemish: 'nl',
  haitian: 'ht',
  letzeburgesch: 'lb',
  mandarin: 'zh',
  moldavian: 'ro',
  moldovan: 'ro',
  nynorsk: 'nn',
  panjabi: 'pa',
  pushto: 'ps',
  sinhalese: 'si',
  tagalog: 'tl',
  valencian: 'ca',
}

const BY_NAME = new Map([
  ...CODES.map((code) => [nameOf(code), code] as const),
  ...Object.entries(OTHER_NAMES),
])

function nameOf(code: string): string {
  return (new Intl.DisplayNames('en', { type: 'language' }).of(code) ?? code).toLowerCase()
}

/** The ISO 639-1 code for a server's name of a language (`english`) or its code (`en`, `en-US`, `eng`); null if unknown. */
export function languageCode(given: string): string | null {
  const name = given.trim().toLowerCase()
  const known = BY_NAME.get(name)
  if (known) return known
  if (!/^[a-z]{2,3}(?:[-_][a-z0-9]+)*$/.test(name)) return null
  const { language } = new Intl.Locale(name.split(/[-_]/)[0] ?? name)
  return CODES.includes(language) ? language : null
}
