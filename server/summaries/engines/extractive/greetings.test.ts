import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../../test/support/properties.ts'
import { isGreeting } from './greetings.ts'
import { createExtractiveSummarizer } from './summarizer.ts'

const SENTENCES: Record<string, { greetings: string[]; others: string[] }> = {
  en: {
    greetings: [
      'Hello.',
      'Good morning, everyone!',
      'Hi there.',
      'Thank you very much.',
      'Thanks for listening, bye.',
      'Thank you, Anna.',
      'Can you hear me?',
      'Hello, can you hear me now?',
      'Is this thing on?',
      'Sorry for the noise.',
      'You can call me on 020 7946 0812 if you need more.',
      'You can email me at t.vance@example.org.',
      'My number is 020 7946 0812.',
    ],
    others: [
      'Can you hear me when the trams pass?',
      'Sorry for the trees.',
      'You can call me old, but I want a bench.',
      'You can call me, but I want a bench.',
      'Call me when the bench is repaired.',
      'Thank the bus driver for me.',
      'Good morning, the bus is late.',
      'Hello, my name is Anna.',
      'Thanks to the park we can breathe.',
      'The night bus.',
      'Yes.',
    ],
  },
  nl: {
    greetings: [
      'Hallo.',
      'Goedemorgen allemaal.',
      'Dank u wel.',
      'Bedankt voor het luisteren!',
      'Tot ziens.',
      'Dag meneer.',
      'Kunt u mij horen?',
      'Werkt het?',
      'Sorry voor het lawaai.',
      'U kunt mij bellen op 06 12345678.',
      'Mijn nummer is 06 12345678.',
    ],
    others: [
      'Kunt u mij helpen met de bus?',
      'Je mag me bellen, maar ik wil een bankje.',
      'Sorry voor de bomen.',
      'Bedankt dat de bus er is.',
      'Dag en nacht rijden er auto’s.',
      'Goedemiddag, ik mis een bankje.',
      'Ja, dat klopt.',
    ],
  },
  de: {
    greetings: [
      'Guten Tag.',
      'Hallo zusammen!',
      'Vielen Dank fürs Zuhören.',
      'Grüß Gott.',
      'Danke, tschüss.',
      'Das war’s, danke schön.',
      'Können Sie mich hören?',
      'Hören Sie mich?',
      'Entschuldigung für den Lärm.',
      'Sie können mich unter 030 123456 anrufen, wenn Sie Fragen haben.',
      'Meine Nummer ist 030 123456.',
    ],
    others: [
      'Können Sie mich hier abholen?',
      'Sie können mich anrufen, aber ich will eine Bank.',
      'Entschuldigung, ich will eine Bank.',
      'Guten Morgen, der Bus fehlt.',
      'Danke für den neuen Spielplatz.',
      'Also ja.',
      'Tag und Nacht ist es laut.',
    ],
  },
  fr: {
    greetings: [
      'Bonjour.',
      'Bonjour à tous et à toutes.',
      'Merci beaucoup !',
      'Merci de votre attention, au revoir.',
      'Bonsoir madame.',
      'Vous m’entendez ?',
      'Est-ce que ça marche ?',
      'Désolée pour le bruit.',
      'Vous pouvez m’appeler au 06 12 34 56 78.',
      'Mon numéro c’est le 06 12 34 56 78 si vous voulez.',
    ],
    others: [
      'Le bruit me dérange, désolé.',
      'Vous pouvez appeler le maire.',
      'Mon numéro de bus a disparu.',
      'Merci de réparer le banc.',
      'Bonjour, le bus est en retard.',
      'Au revoir les arbres.',
      'Oui.',
    ],
  },
  es: {
    greetings: [
      'Hola.',
      '¡Buenos días a todos!',
      'Muchas gracias.',
      'Gracias por escuchar.',
      'Adiós, hasta luego.',
      '¿Me oyen?',
      '¿Funciona esto?',
      'Perdón por el ruido.',
      'Me pueden llamar al 612 345 678.',
      'Mi teléfono es el 612 345 678.',
    ],
    others: [
      'Pueden llamar al alcalde.',
      'Perdonen, falta un banco.',
      'Funciona mal el autobús.',
      'Gracias al parque respiramos.',
      'Hola, falta un banco.',
      'Buenos bancos.',
      'Sí.',
    ],
  },
  it: {
    greetings: [
      'Buongiorno.',
      'Buonasera a tutti!',
      'Grazie mille.',
      'Grazie per l’ascolto, arrivederci.',
      'Ciao.',
      'Mi sentite?',
      'Scusate lo sfogo.',
      'Potete chiamarmi al 06 1234567.',
      'Il mio numero è 06 1234567.',
    ],
    others: [
      'Potete chiamare il sindaco.',
      'Scusate, manca una panchina.',
      'Funziona male il bus.',
      'Grazie al parco respiriamo.',
      'Buongiorno, manca una panchina.',
      'Ciao alberi.',
      'Sì.',
    ],
  },
}
for (const [language, { greetings, others }] of Object.entries(SENTENCES)) {
  for (const text of greetings) test(`${language}: “${text}” only greets`, () => assert.ok(isGreeting(text)))
  for (const text of others) test(`${language}: “${text}” says something`, () => assert.ok(!isGreeting(text)))
}

const summarizer = createExtractiveSummarizer()
const signal = new AbortController().signal
const utterancesOf = (texts: readonly string[], id = 'u') =>
  texts.map((text, at) => ({ id: `${id}-${at}`, start: at, text }))
const reportOf = (talks: readonly (readonly string[])[], language: string) =>
  summarizer.report({
    title: null,
    language,
    instructions: null,
    conversations: talks.map((texts, at) => {
      const id = `c${at}`
      return { id, title: null, participant: null, language, utterances: utterancesOf(texts, id) }
    }),
    signal,
    onProgress: () => {},
  })

for (const [language, { greetings }] of Object.entries(SENTENCES))
  test(`${language}: summaries and reports contain no greetings`, async () => {
    const [first = '', second = '', ...rest] = greetings
    const said = ['Kiosk A.', 'Kiosk B.', 'Kiosk C.', 'Kiosk D.']
    const talks = said.map((text) => [first, text, second, ...rest])
    const { points } = await summarizer.summarize({
      language,
      utterances: utterancesOf(talks[0] ?? []),
      signal,
    })
    assert.deepEqual(
      points.map(({ text }) => text),
      ['Kiosk A.'],
    )
    const { sections } = await reportOf([...talks, greetings], language)
    const texts = sections.flatMap(({ paragraphs, quotations }) =>
      [...paragraphs, ...quotations].map(({ text }) => text),
    )
    assert.deepEqual(
      [...new Set(texts)].filter((text) => !said.includes(text)),
      [],
    )
  })

test('a conversation that only greets keeps its greeting', async () => {
  const { title } = await summarizer.summarize({
    language: 'en',
    utterances: utterancesOf(['Hello.']),
    signal,
  })
  assert.equal(title, 'Hello')
  const { sections } = await reportOf([['Hello.'], ['Good morning.']], 'en')
  assert.deepEqual(
    sections.flatMap(({ paragraphs }) => paragraphs.map(({ text }) => text)),
    ['Hello.', 'Good morning.'],
  )
})

test('recognises long rows of greetings in linear time', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('hello', 'good morning', 'thanks', 'and', 'so', ','), { maxLength: 500 }),
      (words) => {
        const text = words.join(' ')
        assert.equal(isGreeting(`${text} bench x`), false)
        assert.equal(isGreeting(text), /hello|morning|thanks/u.test(text))
      },
    ),
  )
})
