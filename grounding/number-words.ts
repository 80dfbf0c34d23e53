import { ORDINALS, type Ordinal, ordinalsOf } from './ordinal-words.ts'

/** How a language spells numbers: those below 1,000, and what they are multiplied with. */
export interface NumberWords {
  /** Without spaces, hyphens and accents, which speech does not have and transcripts put anywhere. Halves are among them. */
  below1000: ReadonlyMap<string, number>
  /** What stands before an hour: minutes, below zero where they are of the hour before. */
  clock: ReadonlyMap<string, number>
  scales: ReadonlyMap<string, number>
  /** Up to the last day of a month. */
  ordinals: ReadonlyMap<string, number>
  /** What may stand between thousands and the rest. */
  and: string
  /** What stands before a fraction. */
  points: ReadonlySet<string>
  /** A word with a thousand in it: what stands before it, the thousand, "and", what follows. */
  thousandInWord: RegExp
}

/** A number below 1,000 in every way that it is spelled. */
type Spell = (n: number) => string[]

const list = (words: string): string[] => words.split(' ')
const pairs = (lefts: string[], rights: string[]): string[] =>
  lefts.flatMap((left) => rights.map((right) => left + right))

interface Tens {
  /** From 0 to where words are put together. */
  ones: string[]
  /** From 20, or from 30, in steps of 10. */
  tens: string[]
  join(ten: string, unit: string, n: number): string[]
}

/** Numbers below 100 that are a ten and a unit, as in most of these languages. */
const tensAndUnits =
  ({ ones, tens, join }: Tens): Spell =>
  (n) => {
    const small = ones[n]
    if (small !== undefined) return [small]
    const ten = tens[Math.floor(n / 10) - (10 - tens.length)] ?? ''
    return n % 10 === 0 ? [ten] : join(ten, ones[n % 10] ?? '', n)
  }

/** `hundred` on its own is one hundred, and so it is with a word for one before it. */
const withHundreds =
  (below100: Spell, hundreds: (digit: number) => string[]): Spell =>
  (n) => {
    if (n < 100) return below100(n)
    const heads = hundreds(Math.floor(n / 100))
    return n % 100 === 0 ? heads : pairs(heads, below100(n % 100))
  }

const EN = list(
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen',
)
const en = withHundreds(
  tensAndUnits({
    ones: EN,
    tens: list('twenty thirty forty fifty sixty seventy eighty ninety'),
    join: (ten, unit) => [ten + unit],
  }),
  (digit) => pairs(digit === 1 ? ['one', 'a', ''] : [EN[digit] ?? ''], ['hundred', 'hundredand']),
)

const DE = list(
  'null eins zwei drei vier funf sechs sieben acht neun zehn elf zwolf dreizehn vierzehn funfzehn sechzehn siebzehn achtzehn neunzehn',
)
const deBelow100 = tensAndUnits({
  ones: DE,
  tens: list('zwanzig dreissig vierzig funfzig sechzig siebzig achtzig neunzig'),
  join: (ten, unit) => [`${unit === 'eins' ? 'ein' : unit}und${ten}`],
})
/** One loses its end before other words: `eintausend`, `ein Komma fünf`. */
const de = withHundreds(
  (n) => (n === 1 ? ['eins', 'ein', 'eine'] : deBelow100(n)),
  (digit) => pairs(digit === 1 ? ['ein', ''] : [DE[digit] ?? ''], ['hundert', 'hundertund']),
)

const NL = list(
  'nul een twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien',
)
const nl = withHundreds(
  tensAndUnits({
    ones: NL,
    tens: list('twintig dertig veertig vijftig zestig zeventig tachtig negentig'),
    join: (ten, unit) => [`${unit}en${ten}`],
  }),
  (digit) => pairs(digit === 1 ? ['een', ''] : [NL[digit] ?? ''], ['honderd', 'honderden']),
)

const FR = list(
  'zero un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dixsept dixhuit dixneuf',
)
const FR_TENS = list('vingt trente quarante cinquante soixante')
/** Seventy is sixty-ten, ninety eighty-ten. */
const fr = withHundreds(
  (n) => {
    const small = FR[n]
    if (small !== undefined) return [small]
    if (n >= 80) return n === 80 ? ['quatrevingt', 'quatrevingts'] : [`quatrevingt${FR[n - 80]}`]
    const ten = n >= 70 ? 'soixante' : (FR_TENS[Math.floor(n / 10) - 2] ?? '')
    const unit = FR[n >= 70 ? n - 60 : n % 10] ?? ''
    if (n < 70 && n % 10 === 0) return [ten]
    return n % 10 === 1 ? [`${ten}et${unit}`, ten + unit] : [ten + unit]
  },
  (digit) => (digit === 1 ? ['cent'] : pairs([FR[digit] ?? ''], ['cent', 'cents'])),
)

const ES = list(
  'cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete dieciocho diecinueve veinte',
)
const ES_HUNDREDS = list(
  'doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos',
)
const es = withHundreds(
  tensAndUnits({
    ones: [...ES, ...ES.slice(1, 10).map((unit) => `veinti${unit}`)],
    tens: list('treinta cuarenta cincuenta sesenta setenta ochenta noventa'),
    join: (ten, unit) => [`${ten}y${unit}`],
  }),
  (digit) => {
    const head = ES_HUNDREDS[digit - 2]
    return head === undefined ? ['cien', 'ciento'] : [head, head.replace(/os$/, 'as')]
  },
)

const IT = list(
  'zero uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove',
)
const it = withHundreds(
  tensAndUnits({
    ones: IT,
    tens: list('venti trenta quaranta cinquanta sessanta settanta ottanta novanta'),
    join: (ten, unit) => [(/^[uo]/.test(unit) ? ten.slice(0, -1) : ten) + unit],
  }),
  (digit) => (digit === 1 ? ['cento'] : [`${IT[digit]}cento`]),
)

interface Halves {
  /** What may follow a number. */
  after: string
  /** A half, and one and a half, in words of their own. */
  alone: Record<string, number>
}

/** With halves up to here: beyond, nobody says them. */
const MOST_HALVED = 99

const tableOf = (spell: Spell, { after, alone }: Halves): ReadonlyMap<string, number> => {
  const numbers = Array.from({ length: 1_000 }, (_, n) => spell(n).map((word) => [word, n] as const)).flat()
  const halved = numbers
    .filter(([, n]) => n > 0 && n <= MOST_HALVED)
    .flatMap(([word, n]) => list(after).map((half) => [word + half, n + 0.5] as const))
  return new Map([...Object.entries(alone), ...halved, ...numbers])
}

const scalesOf = (thousand: string, million: string, milliard: string, billion: string) =>
  new Map([
    ...list(thousand).map((word) => [word, 1e3] as const),
    ...list(million).map((word) => [word, 1e6] as const),
    ...list(milliard).map((word) => [word, 1e9] as const),
    ...list(billion).map((word) => [word, 1e12] as const),
  ])

interface Language {
  spell: Spell
  ordinal: Ordinal
  scales: ReadonlyMap<string, number>
  and: string
  points: string
  halves: Halves
  clock?: Record<string, number>
}

/** The languages that the prompts have. */
const LANGUAGES: ReadonlyMap<string, Language> = new Map([
  [
    'en',
    {
      spell: en,
      ordinal: ORDINALS.en,
      scales: scalesOf('thousand', 'million', 'billion', 'trillion'),
      and: 'and',
      points: 'point',
      halves: { after: 'andahalf hoursandahalf hourandahalf', alone: { half: 0.5, halfa: 0.5, ahalf: 0.5 } },
      clock: { halfpast: 30, quarterpast: 15, aquarterpast: 15, quarterto: -45, aquarterto: -45 },
    },
  ],
  [
    'de',
    {
      spell: de,
      ordinal: ORDINALS.de,
      scales: scalesOf('tausend', 'million millionen mio', 'milliarde milliarden mrd', 'billion billionen'),
      and: 'und',
      points: 'komma',
      halves: { after: 'einhalb undeinhalb', alone: { halbe: 0.5, einehalbe: 0.5, anderthalb: 1.5 } },
      clock: { halb: -30, viertelnach: 15, viertelvor: -45, dreiviertel: -45 },
    },
  ],
  [
    'nl',
    {
      spell: nl,
      ordinal: ORDINALS.nl,
      scales: scalesOf('duizend', 'miljoen mln', 'miljard mrd', 'biljoen'),
      and: 'en',
      points: 'komma',
      halves: {
        after: 'enhalf eneenhalf',
        alone: { half: 0.5, halve: 0.5, eenhalf: 0.5, anderhalf: 1.5, anderhalve: 1.5 },
      },
      clock: { half: -30, kwartover: 15, kwartvoor: -45 },
    },
  ],
  [
    'fr',
    {
      spell: fr,
      ordinal: ORDINALS.fr,
      scales: scalesOf('mille', 'million millions', 'milliard milliards', 'billion billions'),
      and: 'et',
      points: 'virgule',
      halves: {
        after: 'etdemi etdemie heuresetdemie heureetdemie',
        alone: { demi: 0.5, undemi: 0.5, unedemie: 0.5 },
      },
    },
  ],
  [
    'es',
    {
      spell: es,
      ordinal: ORDINALS.es,
      scales: scalesOf('mil', 'millon millones', 'millardo millardos', 'billon billones'),
      and: 'y',
      points: 'coma punto',
      halves: { after: 'ymedio ymedia horasymedia horaymedia', alone: { medio: 0.5, media: 0.5 } },
    },
  ],
  [
    'it',
    {
      spell: it,
      ordinal: ORDINALS.it,
      scales: scalesOf('mille mila', 'milione milioni mln', 'miliardo miliardi mld', 'bilione bilioni'),
      and: 'e',
      points: 'virgola punto',
      halves: { after: 'emezzo emezza oreemezza oraemezza', alone: { mezzo: 0.5, mezza: 0.5 } },
    },
  ],
])
const made = new Map<string, NumberWords>()

/** Undefined of a language whose numbers we can't spell. */
export function numberWordsOf(language: string | null): NumberWords | undefined {
  const known = made.get(language ?? '')
  const own = LANGUAGES.get(language ?? '')
  if (known || language === null || !own) return known
  const words = wordsOf(own)
  made.set(language, words)
  return words
}

const wordsOf = ({ spell, ordinal, scales, and, points, halves, clock = {} }: Language): NumberWords => ({
  below1000: tableOf(spell, halves),
  clock: new Map(Object.entries(clock)),
  scales,
  ordinals: ordinalsOf(ordinal, spell),
  and,
  points: new Set(list(points)),
  thousandInWord: thousandInWord(scales, and),
})

function thousandInWord(scales: ReadonlyMap<string, number>, and: string): RegExp {
  const thousands = [...scales].flatMap(([word, value]) => (value === 1e3 ? word : []))
  return new RegExp(`(?<!\\p{L})(\\p{L}*?)(${thousands.join('|')})(${and})?(\\p{L}*)`, 'gu')
}
