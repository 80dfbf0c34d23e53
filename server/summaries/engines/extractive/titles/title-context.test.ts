import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contextOf } from './title-context.ts'

/** Whether a pronoun of the title needs another sentence. */
const TITLES: Record<string, { alone: string[]; dependent: string[] }> = {
  en: {
    alone: [
      'It would be a pity to close the library',
      'I would love it if the bus came on time',
      'Keep the library and do not close it',
      'It takes an hour to reach the hospital',
      'We need the pool because it is cheap',
      'Make it easier to cross the road',
    ],
    dependent: [
      'I would miss it',
      'It would be sad to lose it',
      'It would be terrible to see it go',
      'It would be a real loss to close it',
      'Happy to help them',
      'They should not do that',
    ],
  },
  nl: {
    alone: [
      'Het zou jammer zijn om het zwembad te verliezen',
      'We willen het zwembad houden',
      'Houd de bibliotheek open en sluit haar niet',
      'Het is fijn dat het park er is',
    ],
    dependent: [
      'Het zou zonde zijn om het te verliezen',
      'Ik zou het erg vinden als we ze kwijtraken',
      'Het zou zonde zijn om hem te kappen',
      'Ik vind het jammer dat ze verdwijnen',
      'Dat moeten ze niet doen',
    ],
  },
  de: {
    alone: [
      'Es wäre schade, das Schwimmbad zu verlieren',
      'Bitte reparieren Sie die Laternen',
      'Der Park ist schön und wir wollen ihn behalten',
      'Ich finde es schade, dass die Bücherei schließt',
    ],
    dependent: [
      'Es wäre schade, sie zu verlieren',
      'Wir brauchen sie dringend',
      'Es wäre traurig, wenn wir es verlieren',
      'Das sollte man nicht machen',
    ],
  },
  fr: {
    alone: [
      'Il serait dommage de fermer la piscine',
      'Il faut réparer la piste au bord de la mer',
      'Gardez la bibliothèque, ne la fermez pas',
      'Nous voulons plus de bancs à la plage',
    ],
    dependent: [
      'Ce serait bête de la supprimer',
      'On les attend depuis des mois',
      'Ce serait dommage de les perdre',
      'Ils ne devraient pas faire ça',
    ],
  },
  es: {
    alone: [
      'Sería una pena cerrar la piscina',
      'Que la piscina siga abierta',
      'Me encanta la charla en la biblioteca',
      'Queremos que los bancos vuelvan',
    ],
    dependent: [
      'Sería una pena cerrarla',
      'No la cierren',
      'Sería triste perderlos',
      'No deberían hacer eso',
    ],
  },
  it: {
    alone: [
      'Sarebbe un peccato chiudere la piscina',
      'Vorrei che la piscina riaprisse',
      'La piscina è bella, non chiudetela',
      'Spero che le panchine tornino',
    ],
    dependent: [
      'Sarebbe un peccato chiuderla',
      'Non la chiudete',
      'Non vogliamo perderlo',
      'Vorrei che lo riaprissero',
    ],
  },
}
for (const [language, { alone, dependent }] of Object.entries(TITLES)) {
  for (const title of alone)
    test(`${language}: “${title}” can be understood alone`, () =>
      assert.notEqual(contextOf(title, language).gaps, 'reference'))
  for (const title of dependent)
    test(`${language}: “${title}” needs another sentence`, () =>
      assert.equal(contextOf(title, language).gaps, 'reference'))
}
