import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createExtractiveSummarizer } from './summarizer.ts'

/** The sides of the theme with this name, for people who each say one text about it. */
async function sidesOf(language: string, heading: RegExp, texts: readonly string[]) {
  const { sections } = await createExtractiveSummarizer().report({
    title: null,
    language,
    instructions: null,
    conversations: texts.map((text, index) => ({
      id: `c${index}`,
      title: null,
      participant: null,
      language,
      utterances: [{ id: `c${index}-0`, start: 0, text }],
    })),
    signal: new AbortController().signal,
    onProgress: () => {},
  })
  const theme = sections.find((section) => heading.test(section.heading))
  return [theme?.voices?.for, theme?.voices?.against]
}

const SAID: Record<string, [heading: RegExp, inFavour: string, against: string, neither: string]> = {
  en: [/kiosk/i, 'Please keep the kiosk.', 'Close the kiosk.', 'The kiosk should take cards.'],
  de: [/kiosk/i, 'Bitte erhaltet den Kiosk.', 'Schließt den Kiosk.', 'Der Kiosk sollte Karten nehmen.'],
  nl: [/kiosk/i, 'Houd de kiosk open.', 'Sluit de kiosk.', 'De kiosk moet pinnen accepteren.'],
  fr: [/kiosque/i, 'Gardez le kiosque.', 'Fermez le kiosque.', 'Le kiosque devrait prendre la carte.'],
  es: [/quiosco/i, 'Conserven el quiosco.', 'Cierren el quiosco.', 'El quiosco debería aceptar tarjetas.'],
  it: [/chiosco/i, 'Salvate il chiosco.', 'Chiudete il chiosco.', 'Il chiosco dovrebbe accettare le carte.'],
}
for (const [language, [heading, ...texts]] of Object.entries(SAID))
  test(`${language}: who asks to remove something is against it, and other requests take no side`, async () => {
    assert.deepEqual(await sidesOf(language, heading, texts), [['c0'], ['c1']])
  })

test('a person who is against a removal is in favour', async () => {
  const texts = [
    "Please don't close the kiosk.",
    'I am against closing the kiosk.',
    'They want to close the kiosk.',
  ]
  assert.deepEqual(await sidesOf('en', /kiosk/i, texts), [['c0', 'c1'], []])
})

test('a clause on what happens at a place, or when it closes, is not about the place', async () => {
  const texts = [
    'Stop the noise at the kiosk.',
    'The kiosk should close at ten.',
    'I would plant trees near the kiosk.',
  ]
  assert.deepEqual(await sidesOf('en', /kiosk/i, texts), [[], []])
})

const OBJECTIONS: Record<string, [heading: RegExp, elsewhere: string, other: string, against: string]> = {
  en: [
    /park/i,
    'I am against cars in the park.',
    "I don't want a tower next to the park.",
    'I am against the park.',
  ],
  nl: [
    /park/i,
    "Ik ben tegen auto's in het park.",
    'Ik wil geen toren naast het park.',
    'Ik ben tegen het park.',
  ],
  de: [
    /park/i,
    'Ich bin gegen Autos im Park.',
    'Ich will keinen Turm neben dem Park.',
    'Ich bin gegen den Park.',
  ],
  fr: [
    /parc/i,
    'Je suis contre les voitures dans le parc.',
    'Je ne veux pas de tour devant le parc.',
    'Je suis contre le parc.',
  ],
  es: [
    /parque/i,
    'Estoy en contra de los coches en el parque.',
    'No quiero una torre junto al parque.',
    'Estoy en contra del parque.',
  ],
  it: [
    /parco/i,
    'Sono contrario alle macchine nel parco.',
    'Non voglio una torre vicino al parco.',
    'Sono contrario al parco.',
  ],
}
for (const [language, [heading, ...texts]] of Object.entries(OBJECTIONS))
  test(`${language}: who objects to something at a place is not against the place`, async () => {
    assert.deepEqual(await sidesOf(language, heading, texts), [[], ['c2']])
  })

const LOSSES: Record<string, [heading: RegExp, loss: string, unknown: string]> = {
  en: [
    /kiosk/i,
    'Closing the kiosk would be a loss for all of us.',
    'Closing the kiosk would take two years.',
  ],
  fr: [
    /kiosque/i,
    'Fermer le kiosque serait une perte pour nous.',
    'Fermer le kiosque serait possible en mai.',
  ],
  es: [/quiosco/i, 'Cerrar el quiosco sería una pérdida.', 'Cerrar el quiosco sería posible en mayo.'],
  it: [
    /chiosco/i,
    'Chiudere il chiosco sarebbe una perdita.',
    'Chiudere il chiosco sarebbe possibile a maggio.',
  ],
}
for (const [language, [heading, ...texts]] of Object.entries(LOSSES))
  test(`${language}: who calls a removal a loss is in favour, and who only describes it takes no side`, async () => {
    assert.deepEqual(await sidesOf(language, heading, texts), [['c0'], []])
  })

test('an adjective of the subject does not change the side', async () => {
  const texts = ['Close that terrible kiosk.', 'Keep the sad old kiosk.']
  assert.deepEqual(await sidesOf('en', /kiosk/i, texts), [['c1'], ['c0']])
})

const COMPARED: Record<string, [heading: RegExp, ...string[]]> = {
  en: [/garden/i, 'We need houses more than a garden.', 'Please do not build houses on the garden.'],
  nl: [/tuin/i, 'We hebben huizen meer nodig dan een tuin.', 'Bouw alsjeblieft geen huizen op de tuin.'],
  de: [/garten/i, 'Wir brauchen Häuser mehr als einen Garten.', 'Wir wollen eine Schule statt einem Garten.'],
  fr: [
    /jardin/i,
    "Nous avons besoin d'une école plus que d'un jardin.",
    'Ne construisez pas de maisons sur le jardin.',
  ],
  es: [/jardín/i, 'Necesitamos casas más que un jardín.', 'No construyan casas en el jardín.'],
  it: [/giardino/i, 'Abbiamo bisogno di case più che di un giardino.', 'Non costruite case sul giardino.'],
}
for (const [language, [heading, ...texts]] of Object.entries(COMPARED))
  test(`${language}: who asks for something else takes no side`, async () => {
    assert.deepEqual(await sidesOf(language, heading, texts), [[], []])
  })

const IMPROVED: Record<string, [heading: RegExp, inFavour: string, ...improved: string[]]> = {
  en: [
    /pool/i,
    'We need a pool.',
    'The pool needs to be warmer.',
    'I want the pool to be cleaner.',
    'We need a cleaner pool.',
  ],
  nl: [
    /zwembad/i,
    'Wij hebben een zwembad nodig.',
    'Het zwembad heeft warmer water nodig.',
    'We hebben een warmer zwembad nodig.',
  ],
  de: [/schwimmbad/i, 'Wir brauchen ein Schwimmbad.', 'Ich möchte das Schwimmbad wärmer haben.'],
  fr: [
    /piscine/i,
    "Nous avons besoin d'une piscine.",
    'La piscine a besoin de plus de lumière.',
    'Il faut que la piscine soit plus chaude.',
  ],
  es: [/piscina/i, 'Necesitamos una piscina.', 'Quiero que la piscina sea más grande.'],
  it: [/piscina/i, 'Abbiamo bisogno di una piscina.', 'Vogliamo una piscina più calda.'],
}
for (const [language, [heading, ...texts]] of Object.entries(IMPROVED))
  test(`${language}: who wants the subject to be better takes no side`, async () => {
    assert.deepEqual(await sidesOf(language, heading, texts), [['c0'], []])
  })
