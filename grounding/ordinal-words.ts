/** The days of a month; no other ordinals are looked for. */
const LAST_DAY = 31

/** The ordinal of a number whose word is known, in all its forms, without accents. */
export type Ordinal = (n: number, cardinal: string) => string[]

const list = (words: string): string[] => words.split(' ')

const EN_ENDINGS: [RegExp, string][] = [
  [/one$/, 'first'],
  [/two$/, 'second'],
  [/three$/, 'third'],
  [/five$/, 'fifth'],
  [/eight$/, 'eighth'],
  [/nine$/, 'ninth'],
  [/twelve$/, 'twelfth'],
  [/y$/, 'ieth'],
  [/$/, 'th'],
]
const en: Ordinal = (_, cardinal) =>
  EN_ENDINGS.filter(([ending]) => ending.test(cardinal))
    .slice(0, 1)
    .map(([ending, ordinal]) => cardinal.replace(ending, ordinal))

const DE_STEMS: Readonly<Record<number, string>> = { 1: 'erst', 3: 'dritt', 7: 'siebt', 8: 'acht' }
const de: Ordinal = (n, cardinal) =>
  list('e en er es em').map((ending) => (DE_STEMS[n] ?? cardinal + (n < 20 ? 't' : 'st')) + ending)

const NL_WORDS: Readonly<Record<number, string>> = { 1: 'eerste', 3: 'derde', 8: 'achtste' }
const nl: Ordinal = (n, cardinal) => [NL_WORDS[n] ?? cardinal + (n < 20 ? 'de' : 'ste')]

const FR_WORDS: Readonly<Record<number, string[]>> = {
  1: ['premier', 'premiere'],
  2: ['deuxieme', 'second', 'seconde'],
}
const fr: Ordinal = (n, cardinal) =>
  FR_WORDS[n] ?? [`${cardinal.replace(/e$/, '').replace(/neuf$/, 'neuv').replace(/cinq$/, 'cinqu')}ieme`]

/** Up to ten: days are counted by cardinals, but for the first. */
const byList =
  (words: string[]): Ordinal =>
  (n) =>
    (words[n - 1] ?? '').split('/').filter((word) => word !== '')

const es = byList(
  list(
    'primero/primera/primer segundo/segunda tercero/tercera/tercer cuarto/cuarta quinto/quinta sexto/sexta septimo/septima octavo/octava noveno/novena decimo/decima',
  ),
)
const it = byList(
  list(
    'primo/prima secondo/seconda terzo/terza quarto/quarta quinto/quinta sesto/sesta settimo/settima ottavo/ottava nono/nona decimo/decima',
  ),
)

export const ORDINALS = { en, de, nl, fr, es, it }

export const ordinalsOf = (ordinal: Ordinal, spell: (n: number) => string[]): ReadonlyMap<string, number> =>
  new Map(
    Array.from({ length: LAST_DAY }, (_, at) =>
      spell(at + 1).flatMap((cardinal) => ordinal(at + 1, cardinal).map((word) => [word, at + 1] as const)),
    ).flat(),
  )
