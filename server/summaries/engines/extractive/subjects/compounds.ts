import { memoized } from '../../../../../grounding/languages/language.ts'
import { stemOf } from '../words/stems.ts'

/**
 * Compounds that are about another subject than their head, even if only one person says them. Two words are without the preposition
 * between them. Those after a subject are about that one; others are a subject of their own.
 */
interface KnownCompounds {
  subjects?: Readonly<Record<string, string>>
  own: string
}

const LANGUAGES: Readonly<Record<string, KnownCompounds>> = {
  de: {
    own: 'Freizeitpark|Vergnügungspark|Windpark|Solarpark|Gewerbepark|Industriepark|Technologiepark|Fuhrpark|Fahrschule|Baumschule|Hochschule|Supermarkt|Arbeitsmarkt|Wohnungsmarkt|Immobilienmarkt|Baumarkt|Biergarten|Friedhof|Bauernhof|Datenbank|Blutbank',
  },
  en: {
    subjects: {
      bus: 'school bus',
      cyclepath:
        'bike lane|bike path|bike track|bike route|cycle lane|cycle path|cycle track|cycle route|cycling lane|cycling path|bicycle lane|bicycle path',
      food: 'school meal|school dinner|school lunch|canteen food|canteen meal',
      police: 'police station',
    },
    own: 'car park|retail park|business park|science park|theme park|amusement park|industrial park|caravan park|trailer park|wind park|solar park|safari park|driving school|riding school|beer garden|traffic light|petrol station|gas station|filling station|charging station|power station|polling station|radio station|job market|labour market|labor market|housing market|property market|stock market|food bank|light rail',
  },
  es: {
    subjects: {
      cyclepath: 'carril bici|carril bicicleta|carril ciclista|vía ciclista',
      food: 'comedor escolar|comida escolar',
      playground: 'parque infantil',
    },
    own: 'parque eólico|parque solar|parque empresarial|parque industrial|parque tecnológico|parque atracciones|parque bomberos|mercado laboral|mercado inmobiliario|banco alimentos|banco sangre|jardín botánico|centro comercial',
  },
  fr: {
    subjects: {
      cyclepath: 'piste cyclable|bande cyclable|voie cyclable',
      food: 'cantine scolaire|repas scolaire',
      parking: 'parc stationnement',
      playground: 'parc jeux|aire jeux',
    },
    own: 'parc éolien|parc attractions|parc activités|aire autoroute|auto école|marché immobilier|gare routière',
  },
  it: {
    subjects: {
      cyclepath: 'pista ciclabile|corsia ciclabile|percorso ciclabile',
      food: 'mensa scolastica|pasto scolastico',
      playground: 'parco giochi',
    },
    own: 'parco eolico|parco divertimenti|parco commerciale|scuola guida|mercato immobiliare|orto botanico',
  },
  nl: {
    own: 'pretpark|attractiepark|windpark|zonnepark|vakantiepark|bungalowpark|bedrijvenpark|industriepark|wagenpark|rijschool|hogeschool|supermarkt|arbeidsmarkt|woningmarkt|huizenmarkt|bouwmarkt|kerkhof|voedselbank|databank|bloedbank',
  },
}

const stemsOf = (list: string, locale: string): string[] =>
  list.split('|').map((one) => stemOf(one.toLowerCase(), locale))

/** The stems of these compounds, with the id of their subject; null for a subject of their own. */
export const knownCompounds = memoized((locale: string): ReadonlyMap<string, string | null> => {
  const { own = '', subjects = {} } = LANGUAGES[locale] ?? {}
  const listed = Object.entries(subjects).flatMap(([subject, list]) =>
    stemsOf(list, locale).map((stem) => [stem, `@${subject}`] as const),
  )
  return new Map<string, string | null>([
    ...stemsOf(own, locale).map((stem) => [stem, null] as const),
    ...listed,
  ])
})
