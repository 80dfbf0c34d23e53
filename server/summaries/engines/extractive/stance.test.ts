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

test('who is against a removal is in favour', async () => {
  const texts = [
    "Please don't close the kiosk.",
    'I am against closing the kiosk.',
    'They want to close the kiosk.',
  ]
  assert.deepEqual(await sidesOf('en', /kiosk/i, texts), [['c0', 'c1'], []])
})

test('what happens at a place, or when it closes, is not about the place', async () => {
  const texts = [
    'Stop the noise at the kiosk.',
    'The kiosk should close at ten.',
    'I would plant trees near the kiosk.',
  ]
  assert.deepEqual(await sidesOf('en', /kiosk/i, texts), [[], []])
})
