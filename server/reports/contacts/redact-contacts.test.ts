import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc, { anyText } from '../../../test/support/properties.ts'
import { redactContacts } from './redact-contacts.ts'

const LABELS = { hiddenEmail: '[e]', hiddenPhone: '[p]', hiddenAddress: '[a]' }
const redacted = (text: string): string => redactContacts(text, LABELS)

const HIDDEN: [said: string, shown: string][] = [
  ['Write to anna.b+x@example.co.uk, please.', 'Write to [e], please.'],
  ['My address is anna at gmail dot com.', 'My address is [e].'],
  ['Mail naar jan punt smit apenstaartje ziggo punt nl.', 'Mail naar [e].'],
  ['Escriba a ana arroba correo punto es.', 'Escriba a [e].'],
  ['Scrivete a rossi chiocciola posta punto it.', 'Scrivete a [e].'],
  ['Call me on +44 20 7946 0958 today.', 'Call me on [p] today.'],
  ['Call 555-0123 or (555) 123-4567.', 'Call [p] or [p].'],
  ['Bel 06-12345678 of 020 624 1111.', 'Bel [p] of [p].'],
  ['Bel +31(0)6 12345678 of 06 - 1234 5678.', 'Bel [p] of [p].'],
  ['Mijn nummer is 0612345678.', 'Mijn nummer is [p].'],
  ['Meine Nummer ist 030/1234567 oder 0171 1234567.', 'Meine Nummer ist [p] oder [p].'],
  ['Appelez le 06 12 34 56 78.', 'Appelez le [p].'],
  ['Appelez le 01.23.45.67.89, merci.', 'Appelez le [p], merci.'],
  ['Llame al 612 345 678 o al 912 34 56 78.', 'Llame al [p] o al [p].'],
  ['Chiamate il 333 1234567 o lo 02 1234567.', 'Chiamate il [p] o lo [p].'],
  ['It is zero six one two three four five six.', 'It is [p].'],
  ['Het is nul zes een twee drie vier vijf zes.', 'Het is [p].'],
  ['I live at 12 Canal Street.', 'I live at [a].'],
  ['I live at 12b Old Mill Lane, SW1A 1AA.', 'I live at [a].'],
  ['Ik woon in de Kerkstraat 12.', 'Ik woon in de [a].'],
  ['Ik woon op Prinsengracht 263-2, 1016 GV.', 'Ik woon op [a].'],
  ['Ik woon op Dorpsplein 4.', 'Ik woon op [a].'],
  ['Ich wohne in der Hauptstraße 5a.', 'Ich wohne in der [a].'],
  ['Ich wohne Hauptstr. 5, 10115 Berlin.', 'Ich wohne [a].'],
  ['Ich wohne in der Berliner Straße 17 und bin alt.', 'Ich wohne in der [a] und bin alt.'],
  ['Ich wohne Mühlenweg 3.', 'Ich wohne [a].'],
  ['J’habite 12 bis, rue de la République, 75011 Paris.', 'J’habite [a].'],
  ['J’habite au 5 place d’Italie.', 'J’habite au [a].'],
  ['J’habite 8 avenue Victor Hugo.', 'J’habite [a].'],
  ['Vivo en la calle Mayor 12.', 'Vivo en la [a].'],
  ['Vivo en la calle de Alcalá, número 45.', 'Vivo en la [a].'],
  ['Vivo en la plaza de España, 3.', 'Vivo en la [a].'],
  ['Abito in via Roma 12.', 'Abito in [a].'],
  ['Abito in via della Repubblica, n. 7.', 'Abito in [a].'],
  ['Abito in piazza Garibaldi 3.', 'Abito in [a].'],
  ['I have Mill Lane, plot forty-one, since May.', 'I have [a], since May.'],
  ['I live at five Canal Street.', 'I live at [a].'],
  ['Forty-one Old Mill Lane is my home.', '[a] is my home.'],
  ['I live at one hundred and two Canal Street.', 'I live at [a].'],
  ['I live in Mill Lane number 41.', 'I live in [a].'],
  ['Ik woon in de Kerkstraat tweeëntwintig en ik slaap slecht.', 'Ik woon in de [a] en ik slaap slecht.'],
  ['Ik woon op Dorpsplein nummer vier.', 'Ik woon op [a].'],
  ['Ich wohne in der Hauptstraße zwölf.', 'Ich wohne in der [a].'],
  ['Ich wohne in der Berliner Straße Nummer einundvierzig und bin alt.', 'Ich wohne in der [a] und bin alt.'],
  ['J’habite douze rue de la République.', 'J’habite [a].'],
  ['J’habite au quatre-vingt-dix de la rue Victor Hugo.', 'J’habite [a].'],
  ['Vivo en la calle Mayor doce.', 'Vivo en la [a].'],
  ['Vivo en la plaza de España, número veintidós.', 'Vivo en la [a].'],
  ['Abito in via Roma quarantuno.', 'Abito in [a].'],
  ['Abito in via Roma uno.', 'Abito in [a].'],
  ['I have Mill Lane, plot one.', 'I have [a].'],
  ['Abito in piazza Garibaldi, numero tre.', 'Abito in [a].'],
]
for (const [said, shown] of HIDDEN)
  test(`shows “${said}” as “${shown}”`, () => assert.equal(redacted(said), shown))

const SHOWN = [
  'In 2024 Canal Street was closed.',
  '4 of 30 people want a bench, 12 of 30 a tree.',
  'At 8:30 and 17.45 the bus is full.',
  'It costs 1,250,000 euros, or €12.50 each.',
  'About 12.5 % want it, 100 per cent of us.',
  'Take bus 45 to Canal Street.',
  'Bus 45 Canal Street is late.',
  'From 1998-2024 and on 12-05-2024 it was fine.',
  'In 1998 1999 2000 it rained.',
  'Open 0900-1700 on Monday.',
  'Lines 45 46 47 48 49 stop here.',
  'Page 3, room 12, table 3, round 2.',
  'Meet @ the park at noon.',
  'We met at the park dot by dot.',
  'In de Kerkstraat 2019 was het stil.',
  'In de Kerkstraat 12 jaar geleden was het stil.',
  'Lijn 12 en tram 5 rijden om 8 uur.',
  'Op het Marktplein 3 bankjes erbij.',
  'Het kost 1.250.000 euro in 2024 EU breed.',
  'Wij zijn met 25.000 mensen.',
  'In der Hauptstraße 30 Leute, 45 Prozent.',
  'Linie 45 fährt um 8.30 Uhr am Marktplatz 3 Mal.',
  'Die Stadt hat 25000 Einwohner, davon 612 345 678 Euro.',
  '3 places de parking, 2 routes et 45 rues.',
  'Le bus 45 passe rue de la République.',
  'En 2024, rue Victor Hugo, il y avait du bruit.',
  'Il y a 3 places libres, 12 fois par an.',
  'La calle Mayor 45 personas la usan.',
  'El autobús 45 pasa a las 8:30 por la calle Mayor.',
  'La plaza Mayor 3 bancos tiene.',
  'In via Roma 30 anni fa era bello.',
  'La linea 45 passa in via Roma alle 8.30.',
  'One two three, four people.',
  'Two Canal Street shops closed, and in room twelve, Canal Street was loud.',
  'There is one Canal Street.',
  'In de Kerkstraat twaalf bomen erbij.',
  'In der Hauptstraße zwölf Bäume pflanzen.',
  'Il y a une rue Victor Hugo et une place Bellecour.',
  'En la calle Mayor doce comercios cierran.',
  'In via Roma due negozi chiudono.',
]
for (const text of SHOWN) test(`shows “${text}” as it is`, () => assert.equal(redacted(text), text))

test('hides an e-mail address in any text', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          anyText(30),
          fc.constantFrom(
            '0',
            '00',
            '12',
            ' ',
            '-',
            '.',
            'van ',
            'Kerkstraat',
            'rue ',
            ' at ',
            '@',
            'de la ',
            'one ',
          ),
        ),
        { maxLength: 300 },
      ),
      (parts) => {
        const text = parts.join('')
        assert.ok(!redacted(`${text} anna@example.org ${text}`).includes('anna@example.org'))
      },
    ),
    { numRuns: 200 },
  )
})
