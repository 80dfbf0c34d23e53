import type { Summarizer } from '../../server/summaries/summarizer.ts'
import { bCubed, pairwise } from './scores.ts'
import type { StatementSet } from './statements.ts'
import { sourcesOf } from './themes.ts'

/** The subjects that statements of several languages are about, by their labels. */
const SUBJECTS: Record<string, string> = {
  Laternen: 'lamps',
  lampioni: 'lamps',
  éclairage: 'lamps',
  verlichting: 'lamps',
  Spielplatz: 'playground',
  speeltuin: 'playground',
  Lärm: 'noise',
  ruido: 'noise',
  bruit: 'noise',
  rumore: 'noise',
  Bus: 'bus',
  autobus: 'bus',
  autobús: 'bus',
  parque: 'park',
  aparcamiento: 'parking',
  parkeren: 'parking',
  Parken: 'parking',
  stationnement: 'parking',
  parcheggio: 'parking',
  bici: 'cycling',
  vélo: 'cycling',
  Radweg: 'cycling',
  marché: 'market',
  mercato: 'market',
  markt: 'market',
  jardin: 'garden',
  giardino: 'garden',
  bibliotheek: 'library',
  biblioteca: 'library',
  bomen: 'trees',
  Warten: 'waiting',
  espera: 'waiting',
  attente: 'waiting',
  attesa: 'waiting',
  wachten: 'waiting',
  Essen: 'food',
  comida: 'food',
  repas: 'food',
  cibo: 'food',
  eten: 'food',
  Dienstplan: 'shifts',
  turnos: 'shifts',
  planning: 'shifts',
  turni: 'shifts',
  rooster: 'shifts',
  Kantine: 'canteen',
  comedor: 'canteen',
  cantine: 'canteen',
  mensa: 'canteen',
  kantine: 'canteen',
  réunions: 'meetings',
  Schwimmbad: 'pool',
  piscina: 'pool',
  Müll: 'rubbish',
  limpieza: 'rubbish',
  afval: 'rubbish',
}

interface MixedScore {
  people: number
  f1: number
  precision: number
  recall: number
  b_cubed_f1: number
}

/** How well the themes of a report on statements in several languages are their subjects. One report per topic and half. */
export async function measureMixed(summarizer: Summarizer, sets: readonly StatementSet[]) {
  const scores: Record<string, MixedScore> = {}
  for (const [topic, members] of Map.groupBy(
    sets,
    ({ name }) => /-(?:care|work)/.exec(name)?.[0].slice(1) ?? 'town',
  )) {
    const statements = members.flatMap(({ language, statements }) =>
      statements.map((statement) => ({ ...statement, language })),
    )
    const conversations = sourcesOf(
      '',
      statements.map(({ text }) => text.split(/(?<=[.?!]) /u)),
    ).map((source, at) => ({ ...source, language: statements[at]?.language ?? null }))
    const { sections } = await summarizer.report({
      title: null,
      language: 'en',
      instructions: null,
      conversations,
      signal: new AbortController().signal,
      onProgress: () => {},
    })
    const themes = sections.filter(({ heading }) => heading !== '')
    const found = conversations.map(({ id }) => {
      const own = themes.flatMap(({ voices }, index) =>
        voices?.conversations.includes(id) ? `t${index}` : [],
      )
      return new Set(own.length > 0 ? own : [`alone ${id}`])
    })
    const gold = statements.map(
      ({ subject }, at) => new Set([subject === null ? `alone ${at}` : (SUBJECTS[subject] ?? subject)]),
    )
    const { f1, precision, recall } = pairwise(found, gold)
    scores[topic] = { people: statements.length, f1, precision, recall, b_cubed_f1: bCubed(found, gold).f1 }
  }
  return scores
}
