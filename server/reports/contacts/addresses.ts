import { lazy } from '../../lazy.ts'

/** How addresses are written in one language. Patterns without anchors. */
interface AddressCues {
  /** A street with a house number. */
  streets: string[]
  /** The same, where the word for the street also is something else ("market 5"): only before the end of a clause or a postcode. */
  places: string[]
  /** After a number, these show that it is not a house number: "45 people", "12 years". */
  units: string
}

const NAME = String.raw`\p{Lu}[\p{L}’'-]+`
const HOUSE = String.raw`(?!(?:19|20)\d\d(?!\d))\d{1,4}(?:[ /-]?[a-zA-Z](?![\p{L}\p{N}])|-\d{1,3})?`
/** `del Prado`, `della Repubblica`, `de la République`. */
const linked = (articles: string): string =>
  String.raw`(?:(?:${articles}) )*(?:[dl][’']|dell[’'])?${NAME}(?: (?:(?:${articles}) )*(?:[dl][’']|dell[’'])?${NAME})*`

const LANGUAGES: readonly AddressCues[] = [
  {
    // English: the number comes first.
    streets: [
      String.raw`(?<!(?:[€£$]|[bB]us|[lL]ine|[tT]ram|[rR]oute|[tT]rain|[pP]latform|[rR]oom|[tT]able) ?)${HOUSE},? (?:${NAME} ){1,3}(?:Street|Road|Avenue|Lane|Drive|Close|Court|Square|Place|Terrace|Crescent|Way|Gardens|Grove|Hill|Row|Mews|Boulevard|Parade|(?:St|Rd|Ave|Ln|Sq|Blvd)(?:\.(?=,))?)`,
    ],
    places: [],
    units:
      'years?|months?|weeks?|days?|hours?|minutes?|times|people|persons|residents|per ?cent|euros?|pounds?|metres?|meters?',
  },
  {
    // Dutch
    streets: [
      String.raw`(?:(?:${NAME}|[vV]an(?: de[rn]?)?|'t|’t) ){0,3}[\p{L}’'-]{2,}(?:straat|laan|gracht|singel|steeg|dreef|plantsoen|kade|dijk) ${HOUSE}`,
    ],
    places: [
      String.raw`(?:(?:${NAME}|[vV]an(?: de[rn]?)?) ){0,3}\p{Lu}[\p{L}’'-]+(?:weg|plein|pad|hof|park|markt|baan|ring|wal) ${HOUSE}`,
    ],
    units:
      'ja(?:ar|ren)|maand(?:en)?|we(?:ek|ken)|dag(?:en)?|u(?:ur|ren)|minu(?:ut|ten)|ke(?:er|ren)|mensen|personen|bewoners|procent|euro|meter',
  },
  {
    // German
    streets: [
      String.raw`[\p{L}-]+(?:straße|strasse|gasse|allee|chaussee) ${HOUSE}`,
      String.raw`\p{Lu}[\p{L}-]*(?:[sS]tr\.) ?${HOUSE}`,
      String.raw`(?:\p{Lu}\p{L}+(?:er|e|en)[ -])(?:Straße|Strasse|Str\.|Allee|Gasse|Chaussee) ${HOUSE}`,
      String.raw`(?:Straße|Strasse|Allee|Platz) (?:des|der|am|an der|zum|zur) (?:\d{1,2}\. )?${NAME} ${HOUSE}`,
    ],
    places: [String.raw`\p{Lu}\p{L}{2,}(?:weg|platz|ring|damm|ufer|steig|markt|hof) ${HOUSE}`],
    units:
      'Jahren?|Monaten?|Wochen?|Tagen?|Stunden?|Minuten?|Uhr|Mal|mal|Leuten?|Menschen|Personen|Anwohnern?|Prozent|Euro|Metern?',
  },
  {
    // French: the number comes first.
    streets: [
      String.raw`${HOUSE}(?: ?(?:bis|ter|quater))?,? (?:rue|avenue|av\.|boulevard|bd|impasse|ruelle|faubourg) (?:(?:de|du|des|la|le|les) )*(?:[dl][’'])?[\p{L}’'-]+(?: (?:(?:de|du|des|la|le|et) )*(?:[dl][’'])?${NAME})*`,
      String.raw`${HOUSE}(?: ?(?:bis|ter|quater))?,? (?:place|allée|chemin|quai|cours|route|square|passage|sentier|villa|esplanade|promenade) ${linked('de|du|des|la|le|les')}`,
    ],
    places: [],
    units:
      'ans?|années?|mois|semaines?|jours?|heures?|minutes?|fois|personnes|gens|habitants|pour cent|euros?|mètres?',
  },
  {
    // Spanish
    streets: [
      String.raw`(?:[cC]alle|[cC]/|[aA]venida|[aA]vda\.?|[aA]v\.|[cC]arretera|[tT]ravesía|[cC]allejón|[gG]lorieta|[pP]asaje) ?${linked('de|del|la|las|los|el|y')},? (?:(?:número|núm\.?|n\.?[ºo°]\.?) ?)?${HOUSE}`,
    ],
    places: [
      String.raw`(?:[pP]laza|[pP]aseo|[cC]amino|[rR]onda|[rR]ambla) ${linked('de|del|la|las|los|el|y')},? (?:(?:número|núm\.?|n\.?[ºo°]\.?) ?)?${HOUSE}`,
    ],
    units: 'años?|mes(?:es)?|semanas?|días?|horas?|minutos?|veces|personas|vecinos|por ciento|euros?|metros?',
  },
  {
    // Italian
    streets: [
      String.raw`(?:[vV]ia|[vV]iale|[vV]\.le|[vV]icolo|[cC]orso|[cC]\.so|[lL]ungomare) ${linked('di|del|della|dei|degli|delle|la|il|e')},? (?:(?:numero|n\.?) ?)?${HOUSE}`,
    ],
    places: [
      String.raw`(?:[pP]iazza|[pP]\.zza|[pP]iazzale|[lL]argo|[bB]orgo|[sS]trada) ${linked('di|del|della|dei|degli|delle|la|il|e')},? (?:(?:numero|n\.?) ?)?${HOUSE}`,
    ],
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

const streets = LANGUAGES.flatMap((cues) => cues.streets)
const places = LANGUAGES.flatMap((cues) => cues.places)

/** Streets with a house number, and postcodes. */
export const addresses = lazy(
  () =>
    new RegExp(
      String.raw`(?<![\p{L}\p{N}])(?:(?:${streets.join('|')})${END}|(?:${places.join('|')})${END}(?= ?(?:$|[.,;!?)\]"”»–—]| ?\d{5}))|(?:${POSTCODE}))${TOWN}`,
      'gu',
    ),
)
