import { cardinalPattern } from '../../../grounding/numbers/number-words.ts'
import { lazy } from '../../lazy.ts'

/** How addresses are written in one language. Patterns without anchors, for a given pattern of the house number. */
interface AddressCues {
  /** ISO 639-1. */
  code: string
  /** A street with a house number that cannot be a count, because it comes first or after a word such as "number". */
  numbered(house: string): string[]
  /** A street, then a house number. */
  streets(house: string): string[]
  /** The same, where the word for the street also is something else ("market 5"): only before the end of a clause or a postcode. */
  places(house: string): string[]
  /** After a number, these show that it is not a house number: "45 people", "12 years". */
  units: string
  /** Words after a number in words that show that it is not a count: "Kerkstraat twaalf *en*". */
  after?: string
}

const NAME = String.raw`\p{Lu}[\p{L}’'-]+`
const HOUSE = String.raw`(?!(?:19|20)\d\d(?!\d))\d{1,4}(?:[ /-]?[a-zA-Z](?![\p{L}\p{N}])|-\d{1,3})?`
/** `del Prado`, `della Repubblica`, `de la République`. */
const linked = (articles: string): string =>
  String.raw`(?:(?:${articles}) )*(?:[dl][’']|dell[’'])?${NAME}(?: (?:(?:${articles}) )*(?:[dl][’']|dell[’'])?${NAME})*`

const ENGLISH_STREETS = String.raw`Street|Road|Avenue|Lane|Drive|Close|Court|Square|Place|Terrace|Crescent|Way|Gardens|Grove|Hill|Row|Mews|Boulevard|Parade|(?:St|Rd|Ave|Ln|Sq|Blvd)(?:\.(?=,))?`
const DUTCH_STREET = String.raw`(?:(?:${NAME}|[vV]an(?: de[rn]?)?|'t|’t) ){0,3}[\p{L}’'-]{2,}(?:straat|laan|gracht|singel|steeg|dreef|plantsoen|kade|dijk)`
const DUTCH_PLACE = String.raw`(?:(?:${NAME}|[vV]an(?: de[rn]?)?) ){0,3}\p{Lu}[\p{L}’'-]+(?:weg|plein|pad|hof|park|markt|baan|ring|wal)`
const GERMAN_STREET = String.raw`[\p{L}-]+(?:straße|strasse|gasse|allee|chaussee)`
const GERMAN_TWO_WORDS = String.raw`(?:\p{Lu}\p{L}+(?:er|e|en)[ -])(?:Straße|Strasse|Str\.|Allee|Gasse|Chaussee)`
const GERMAN_WITH_ARTICLE = String.raw`(?:Straße|Strasse|Allee|Platz) (?:des|der|am|an der|zum|zur) (?:\d{1,2}\. )?${NAME}`
const GERMAN_PLACE = String.raw`\p{Lu}\p{L}{2,}(?:weg|platz|ring|damm|ufer|steig|markt|hof)`
const SPANISH_STREET = String.raw`(?:[cC]alle|[cC]/|[aA]venida|[aA]vda\.?|[aA]v\.|[cC]arretera|[tT]ravesía|[cC]allejón|[gG]lorieta|[pP]asaje) ?${linked('de|del|la|las|los|el|y')}`
const SPANISH_PLACE = String.raw`(?:[pP]laza|[pP]aseo|[cC]amino|[rR]onda|[rR]ambla) ${linked('de|del|la|las|los|el|y')}`
const ITALIAN_STREET = String.raw`(?:[vV]ia|[vV]iale|[vV]\.le|[vV]icolo|[cC]orso|[cC]\.so|[lL]ungomare) ${linked('di|del|della|dei|degli|delle|la|il|e')}`
const ITALIAN_PLACE = String.raw`(?:[pP]iazza|[pP]\.zza|[pP]iazzale|[lL]argo|[bB]orgo|[sS]trada) ${linked('di|del|della|dei|degli|delle|la|il|e')}`
const DUTCH_LABEL = String.raw`(?:,? (?:huisnummer|nummer|nr\.?|kavel)) `
const GERMAN_LABEL = String.raw`(?:,? (?:Hausnummer|Nummer|Nr\.?|Parzelle)) `

const LANGUAGES: readonly AddressCues[] = [
  {
    // The number comes first.
    code: 'en',
    numbered: (house) => [
      // "In room twelve, Canal Street is loud": after a number in words, a comma begins another clause. "Two Canal Street shops" is a count.
      String.raw`(?<!(?:[€£$]|[bB]us|[lL]ine|[tT]ram|[rR]oute|[tT]rain|[pP]latform|[rR]oom|[tT]able) ?)(?![oO]ne \p{Lu})${house}${house === HOUSE ? ',?' : ''} (?:${NAME} ){1,3}(?:${ENGLISH_STREETS})${house === HOUSE ? '' : String.raw`(?! (?!(?:is|was|has|as|this|its)(?!\p{L}))\p{Ll}+s(?!\p{L}))`}`,
      String.raw`(?:${NAME} ){1,3}(?:${ENGLISH_STREETS}),? (?:(?:house |flat |plot )?(?:number|no\.?)|plot|house|flat|unit|apartment) ${house}`,
    ],
    streets: () => [],
    places: (house) => (house === HOUSE ? [] : [`(?:${NAME} ){1,3}(?:${ENGLISH_STREETS}) ${house}`]),
    units:
      'years?|months?|weeks?|days?|hours?|minutes?|times|people|persons|residents|per ?cent|euros?|pounds?|metres?|meters?',
  },
  {
    code: 'nl',
    numbered: (house) => [String.raw`(?:${DUTCH_STREET}|${DUTCH_PLACE})${DUTCH_LABEL}${house}`],
    streets: (house) => [String.raw`${DUTCH_STREET} ${house}`],
    places: (house) => [String.raw`${DUTCH_PLACE} ${house}`],
    after: 'en|is|in|maar|want|sinds|woon|wonen|op|bij|met|waar|of|heb|ben|tegenover|boven|ligt|staat',
    units:
      'ja(?:ar|ren)|maand(?:en)?|we(?:ek|ken)|dag(?:en)?|u(?:ur|ren)|minu(?:ut|ten)|ke(?:er|ren)|mensen|personen|bewoners|procent|euro|meter',
  },
  {
    code: 'de',
    numbered: (house) => [
      String.raw`(?:${GERMAN_STREET}|${GERMAN_TWO_WORDS}|${GERMAN_WITH_ARTICLE}|${GERMAN_PLACE})${GERMAN_LABEL}${house}`,
    ],
    streets: (house) => [
      String.raw`${GERMAN_STREET} ${house}`,
      String.raw`\p{Lu}[\p{L}-]*(?:[sS]tr\.) ?${house}`,
      String.raw`${GERMAN_TWO_WORDS} ${house}`,
      String.raw`${GERMAN_WITH_ARTICLE} ${house}`,
    ],
    places: (house) => [String.raw`${GERMAN_PLACE} ${house}`],
    after: 'und|ist|in|aber|seit|wohne|wohnen|mit|wo|oder|bei|im|gegenüber|liegt|steht|habe|bin',
    units:
      'Jahren?|Monaten?|Wochen?|Tagen?|Stunden?|Minuten?|Uhr|Mal|mal|Leuten?|Menschen|Personen|Anwohnern?|Prozent|Euro|Metern?',
  },
  {
    // The number comes first.
    code: 'fr',
    numbered: (house) => [
      String.raw`(?![uU]ne? )${house}(?: ?(?:bis|ter|quater))?,? (?:rue|avenue|av\.|boulevard|bd|impasse|ruelle|faubourg) (?:(?:de|du|des|la|le|les) )*(?:[dl][’'])?[\p{L}’'-]+(?: (?:(?:de|du|des|la|le|et) )*(?:[dl][’'])?${NAME})*`,
      `(?![uU]ne? )${house}(?: ?(?:bis|ter|quater))?,? (?:place|allée|chemin|quai|cours|route|square|passage|sentier|villa|esplanade|promenade) ${linked('de|du|des|la|le|les')}`,
      `(?:[nN]uméro|[aA]u) ${house},? (?:de la|de l[’']|du|de|des) ?(?:rue|avenue|boulevard|place|allée|chemin|quai|route|impasse) ${linked('de|du|des|la|le|les')}`,
      `(?:rue|avenue|boulevard|place|allée|chemin|quai|route|impasse) ${linked('de|du|des|la|le|les')},? (?:au )?(?:numéro|lot) ${house}`,
    ],
    streets: () => [],
    places: () => [],
    units:
      'ans?|années?|mois|semaines?|jours?|heures?|minutes?|fois|personnes|gens|habitants|pour cent|euros?|mètres?',
  },
  {
    code: 'es',
    numbered: (house) => [
      String.raw`(?:${SPANISH_STREET}|${SPANISH_PLACE}),? (?:número|núm\.?|n\.?[ºo°]\.?|parcela|portal) ?${house}`,
    ],
    streets: (house) => [String.raw`${SPANISH_STREET},? ${house}`],
    places: (house) => [`${SPANISH_PLACE},? ${house}`],
    after: 'y|es|en|pero|desde|con|donde|o|hay|vivo|está|tengo|frente',
    units: 'años?|mes(?:es)?|semanas?|días?|horas?|minutos?|veces|personas|vecinos|por ciento|euros?|metros?',
  },
  {
    code: 'it',
    numbered: (house) => [
      String.raw`(?:${ITALIAN_STREET}|${ITALIAN_PLACE}),? (?:numero(?: civico)?|n\.?|civico|lotto) ?${house}`,
    ],
    streets: (house) => [String.raw`${ITALIAN_STREET},? ${house}`],
    places: (house) => [String.raw`${ITALIAN_PLACE},? ${house}`],
    after: 'e|è|in|ma|da|con|dove|o|abito|sono|vicino|davanti',
    units:
      'ann[oi]|mes[ei]|settiman[ae]|giorn[oi]|or[ae]|minut[oi]|volt[ae]|persone|abitanti|per cento|euro|metri',
  },
]

const UNITS = LANGUAGES.map(({ units }) => units).join('|')
/** A number that ends here: no time, decimal, share or price. */
const END = String.raw`(?![\p{L}\p{N}]|[.,:]\d| ?[%€$£°]| (?:${UNITS})(?!\p{L}))`
/** Two letters that follow a year are not part of a postcode: "2024 EU". */
const POSTCODE = [
  String.raw`(?<![\p{L}\p{N}])[1-9]\d{3} ?(?!(?:AD|BC|CE|EK|WK|EU|UK|US|VN|TV|AM|PM|OS)(?!\p{L}))[A-Z]{2}(?![\p{L}\p{N}])`,
  String.raw`(?<![\p{L}\p{N}])[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}(?![\p{L}\p{N}])`,
].join('|')
/** After a street, five digits are a postcode: "Hauptstraße 5, 10115 Berlin". */
const TOWN = String.raw`(?:,? (?:(?:D|F|I|E)-)?\d{5}(?!\d)(?: ${NAME})?)?`

const CLAUSE_END = String.raw`(?= ?(?:$|[.,;!?)\]"”»–—]| ?\d{5}))`
const AFTER = LANGUAGES.flatMap(({ after }) => after ?? []).join('|')

const all = (get: (cues: AddressCues) => string[]): string => LANGUAGES.flatMap(get).join('|')

/** The patterns of one kind, for house numbers in words. */
const spelled = (get: (cues: AddressCues, house: string) => string[]): string =>
  all((cues) => {
    const house = cardinalPattern(cues.code)
    return house === null ? [] : get(cues, house)
  })

/** Streets with a house number, and postcodes. */
export const addresses = lazy(() => {
  const forms = [
    `(?:${all(({ numbered, streets }) => [...numbered(HOUSE), ...streets(HOUSE)])})${END}`,
    `(?:${all(({ places }) => places(HOUSE))})${END}${CLAUSE_END}`,
    `(?:${spelled(({ numbered }, house) => numbered(house))})${END}`,
    // "In de Kerkstraat twaalf bomen" counts trees.
    `(?:${spelled(({ streets, places }, house) => [...streets(house), ...places(house)])})(?:${CLAUSE_END}|(?= (?:${AFTER})(?!\\p{L})))`,
    `(?:${POSTCODE})`,
  ]
  return new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${forms.join('|')})${TOWN}`, 'gu')
})
