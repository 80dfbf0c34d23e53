import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createExtractiveSummarizer } from '../summarizer.ts'

const summarizer = createExtractiveSummarizer()

/** The themes of a report on these statements, one conversation each: their names and statements. */
async function themesOf(language: string, statements: readonly string[]): Promise<[string, string[]][]> {
  const { sections } = await summarizer.report({
    title: null,
    language,
    instructions: null,
    conversations: statements.map((statement, at) => ({
      id: `${at}`,
      title: null,
      participant: null,
      language,
      utterances: statement
        .split(/(?<=[.?!]) /u)
        .map((text, place) => ({ id: `${at}-${place}`, start: place, text })),
    })),
    signal: new AbortController().signal,
    onProgress: () => {},
  })
  return sections.flatMap(({ heading, voices }) =>
    heading === ''
      ? []
      : [[heading, (voices?.conversations ?? []).map((id) => statements[Number(id)] ?? '')]],
  )
}

/** Statements by subject, although all of a case share a word. */
const APART: [name: string, language: string, ...subjects: string[][]][] = [
  [
    'park/car park/retail park',
    'en',
    [
      'The park needs more benches under the trees.',
      'I walk my dog in the park every morning.',
      'Please keep the park open after dark.',
    ],
    [
      'The car park is always full on Saturdays.',
      'They should make the car park free for nurses.',
      'The barrier of the car park is broken again.',
    ],
    [
      'The new retail park has taken all customers from the high street.',
      'I am against the retail park on the edge of town.',
    ],
  ],
  [
    'bus lane/swimming lane',
    'en',
    [
      'The bus lane on Hill Road is full of delivery vans.',
      'We need a bus lane up to the hospital.',
      'Taxis should not drive in the bus lane.',
    ],
    [
      'There should be one swimming lane for slow people.',
      'The swimming lane is so narrow that we bump into each other.',
    ],
  ],
  [
    'school/driving school',
    'en',
    [
      'The school needs a new roof.',
      'Our school has no room for music lessons.',
      'I worry about the mice in the school.',
    ],
    [
      'The driving school charges far too much.',
      'Cars of the driving school block our gate every afternoon.',
    ],
  ],
  [
    'garden/garden centre',
    'en',
    [
      'The garden has no water in summer.',
      'We would love more plots in the garden.',
      'My beans in the garden were stolen.',
    ],
    [
      'The garden centre brings so much traffic.',
      'Lorries reverse into the garden centre at five in the morning.',
      'The garden centre sells nothing local.',
    ],
  ],
  [
    'Schule/Fahrschule',
    'de',
    [
      'Die Schule braucht ein neues Dach.',
      'In der Schule ist es im Winter eiskalt.',
      'Unsere Schule hat keinen Musikraum.',
    ],
    [
      'Die Fahrschule ist viel zu teuer.',
      'Die Autos der Fahrschule blockieren jeden Nachmittag unsere Einfahrt.',
    ],
  ],
  [
    'Park/Parkplatz',
    'de',
    ['Der Park braucht mehr Bänke.', 'Im Park fehlen Bäume.', 'Bitte lasst den Park abends offen.'],
    ['Der Parkplatz am Bahnhof ist immer voll.', 'Der Parkplatz sollte für Pfleger kostenlos sein.'],
  ],
  [
    'Markt/Supermarkt',
    'de',
    [
      'Auf dem Markt gibt es kaum noch Gemüse.',
      'Der Markt sollte auch mittwochs sein.',
      'Ich liebe den Markt wegen der Blumen.',
    ],
    ['Der Supermarkt schließt schon um sieben.', 'Vor dem Supermarkt liegt überall Glas.'],
  ],
  [
    'Busspur/Tonspur',
    'de',
    ['Die Busspur ist ständig zugeparkt.', 'Wir brauchen eine Busspur bis zum Krankenhaus.'],
    ['Die Tonspur im Kino ist immer kaputt.', 'Im Kino fehlt oft die Tonspur für Gehörlose.'],
  ],
  [
    'park/pretpark',
    'nl',
    [
      'In het park staan te weinig banken.',
      'Het park moet schoner.',
      'Ik wandel graag door het park met mijn hond.',
    ],
    ['Het pretpark maakt te veel herrie.', 'Door het pretpark staan er elke zomer files.'],
  ],
  [
    'school/rijschool',
    'nl',
    ['De school heeft een nieuw dak nodig.', 'Op school is het ijskoud in de klas.'],
    ['De rijschool is veel te duur.', 'Auto’s van de rijschool staan steeds voor onze oprit.'],
  ],
  [
    'aire de jeux/aire d’autoroute',
    'fr',
    [
      'L’aire de jeux est sale et pleine de verre.',
      'Il faudrait un toboggan sur l’aire de jeux.',
      'L’aire de jeux manque d’ombre.',
    ],
    ['L’aire d’autoroute fait un bruit terrible.', 'Les camions dorment sur l’aire d’autoroute.'],
  ],
  [
    'parc/parc de stationnement',
    'fr',
    ['Le parc ferme trop tôt.', 'Il manque des bancs dans le parc.', 'Je promène mon chien au parc.'],
    ['Le parc de stationnement est toujours plein.', 'Le parc de stationnement devrait être gratuit.'],
  ],
  [
    'école/auto-école',
    'fr',
    ['L’école a besoin d’un nouveau toit.', 'À l’école il fait froid en hiver.'],
    ['L’auto-école est beaucoup trop chère.', 'Les voitures de l’auto-école bloquent mon garage.'],
  ],
  [
    'parque/parque eólico',
    'es',
    ['En el parque faltan bancos.', 'El parque está muy sucio.', 'Queremos más árboles en el parque.'],
    ['El parque eólico mata pájaros.', 'Estoy en contra del parque eólico en la sierra.'],
  ],
  [
    'campo de fútbol/campo de golf',
    'es',
    ['El campo de fútbol no tiene duchas.', 'Necesitamos luz en el campo de fútbol.'],
    ['El campo de golf gasta demasiada agua.', 'No quiero un campo de golf en el valle.'],
  ],
  [
    'scuola/scuola guida',
    'it',
    ['La scuola ha bisogno di un tetto nuovo.', 'Nella scuola fa freddo d’inverno.'],
    ['La scuola guida costa troppo.', 'Le macchine della scuola guida bloccano il mio garage.'],
  ],
  [
    'campo da tennis/campo estivo',
    'it',
    ['Il campo da tennis ha la rete rotta.', 'Vorrei illuminare il campo da tennis.'],
    ['Il campo estivo è sempre pieno.', 'Il campo estivo dovrebbe durare fino a settembre.'],
  ],
  [
    'sports hall/concert hall',
    'en',
    [
      'The sports hall floor is slippery. My team trains in the sports hall twice a week.',
      'Please heat the sports hall in winter. We play handball with gloves.',
    ],
    [
      'You wait two hours for a passport at the concert hall desk. The concert hall has great acoustics though.',
      'The concert hall is only for rich people. Tickets cost ninety pounds.',
    ],
  ],
  [
    'Garten/Kindergarten',
    'de',
    [
      'Wir haben im Garten kein Wasser. Ein Brunnen wäre schön.',
      'Der Garten ist mein Ein und Alles. Meine Tomaten wachsen da.',
      'Im Garten klauen sie uns die Kürbisse.',
    ],
    [
      'Der Kindergarten hat keine Plätze mehr. Wir suchen seit einem Jahr.',
      'Im Kindergarten fehlen Erzieherinnen. Meine Tochter ist oft traurig.',
    ],
  ],
  [
    'Hof/Friedhof',
    'de',
    [
      'Der Hof ist zugestellt mit Fahrrädern. Man kommt nicht mehr durch.',
      'Im Hof spielen die Jungs Fußball. Das finde ich schön.',
    ],
    [
      'Der Friedhof ist verwahrlost. Die Hecken sind ewig nicht geschnitten.',
      'Auf dem Friedhof fehlt eine Gießkanne. Ich schleppe alles von zuhause.',
    ],
  ],
  [
    'markt/supermarkt',
    'nl',
    [
      'Op de markt koop ik mijn groente. De markt moet blijven.',
      'De markt is te duur geworden voor kraamhouders.',
    ],
    [
      'De supermarkt is om zes uur al dicht. Ik werk tot zeven.',
      'Bij de supermarkt liggen altijd karretjes in de sloot.',
    ],
  ],
  [
    'salle de sport/salle d’attente',
    'fr',
    [
      'La salle de sport est glacée en hiver. On joue avec des bonnets.',
      'Il faudrait un nouveau parquet dans la salle de sport.',
    ],
    [
      'On reste trois heures dans la salle d’attente. Il n’y a même pas d’eau.',
      'La salle d’attente est toujours bondée. Une dame s’est évanouie.',
    ],
  ],
  [
    'centro de salud/centro comercial',
    'es',
    [
      'El centro de salud no tiene pediatra. Vamos hasta la capital.',
      'En el centro de salud nadie coge el teléfono.',
    ],
    [
      'El centro comercial ha matado las tiendas pequeñas.',
      'No quiero otro centro comercial en las afueras.',
    ],
  ],
  [
    'pista ciclabile/pista di pattinaggio',
    'it',
    [
      'La pista ciclabile finisce nel nulla. Bisogna arrivare al ponte.',
      'Sulla pista ciclabile ci sono sempre furgoni.',
    ],
    [
      'La pista di pattinaggio costa dodici euro. I ragazzi non possono.',
      'Vorrei la pista di pattinaggio anche a gennaio.',
    ],
  ],
]

for (const [name, language, ...subjects] of APART)
  test(`${language}: different subjects are different themes, although they share a word: ${name}`, async () => {
    const themes = await themesOf(language, subjects.flat())
    const sorted = (groups: readonly string[][]) => groups.map((group) => group.toSorted()).toSorted()
    assert.deepEqual(sorted(themes.map(([, statements]) => statements)), sorted(subjects))
  })

/** Statements on one subject, which some people name with more words. */
const TOGETHER: [name: string, language: string, statements: string[]][] = [
  [
    'park',
    'en',
    [
      'The park needs more trees.',
      'Our city park is wonderful.',
      'The park benches in the park are broken.',
      'I love our city park, the park is my living room.',
    ],
  ],
  [
    'library',
    'en',
    [
      'The town library closes too early.',
      'The library is cold.',
      'Our town library has lovely staff.',
      'I want the library to stay open.',
    ],
  ],
  [
    'toilets',
    'en',
    [
      'The dirty toilets at the station are a disgrace.',
      'We need toilets in the square.',
      'Nobody uses those dirty toilets.',
      'The toilets should be free.',
    ],
  ],
  [
    'lamps',
    'en',
    [
      'The street lamps are out.',
      'More street lamps please.',
      'I am scared without lamps.',
      'The lamps are too bright.',
    ],
  ],
  [
    'lanes',
    'en',
    [
      'The bike lanes are too narrow.',
      'We need wider bike lanes.',
      'Bike lanes make me feel safe.',
      'The narrow bike lanes scare me.',
    ],
  ],
  [
    'school gate',
    'en',
    [
      'The school starts too early.',
      'We meet at the school gate.',
      'The school gate is broken at our school.',
      'The school is too cold.',
    ],
  ],
  [
    'Markt',
    'de',
    [
      'Der Wochenmarkt ist zu klein.',
      'Auf dem Markt fehlt Gemüse.',
      'Der Wochenmarkt soll bleiben.',
      'Der Markt ist zu teuer.',
    ],
  ],
  [
    'Park',
    'de',
    [
      'Der Stadtpark ist dunkel.',
      'Im Park fehlen Bänke.',
      'Der Stadtpark braucht Bäume.',
      'Die Parkbänke im Park sind kaputt.',
    ],
  ],
  [
    'Müll',
    'de',
    [
      'Der Müll liegt überall.',
      'Die Mülltonnen sind voll.',
      'Wir brauchen mehr Mülltonnen.',
      'Der Müll wird nicht abgeholt.',
    ],
  ],
  [
    'bibliotheek',
    'nl',
    [
      'De bibliotheek moet langer open.',
      'De stadsbibliotheek is koud.',
      'Ik hou van de bibliotheek.',
      'De stadsbibliotheek heeft lieve mensen.',
    ],
  ],
  [
    'jardin',
    'fr',
    [
      'Le jardin manque d’eau.',
      'Le jardin partagé est fermé.',
      'Je voudrais une parcelle au jardin partagé, le jardin est plein.',
      'Le jardin est beau.',
    ],
  ],
  [
    'parc',
    'fr',
    [
      'Le parc de la ville est sale.',
      'Il faut des bancs au parc.',
      'Le parc est fermé.',
      'Le grand parc de la ville est beau.',
    ],
  ],
  [
    'parque',
    'es',
    [
      'El parque del barrio está sucio.',
      'Faltan bancos en el parque.',
      'El parque del barrio cierra pronto.',
      'Quiero más árboles en el parque.',
    ],
  ],
  [
    'biblioteca',
    'it',
    [
      'La biblioteca comunale chiude presto.',
      'La biblioteca è fredda.',
      'Vorrei la biblioteca comunale aperta di sera, la biblioteca è di tutti.',
      'La biblioteca ha pochi libri.',
    ],
  ],
  [
    'pool',
    'en',
    [
      'The swimming pool is freezing. My kids come out blue.',
      'I swim in the pool every Monday. Keep the water warmer.',
      'The swimming pool should not close, the pool is all we have.',
      'The pool showers are mouldy.',
    ],
  ],
  [
    'bus',
    'en',
    [
      'The night bus never comes on time.',
      'The bus is late every day.',
      'We need a night bus on Fridays, the last bus leaves at nine.',
      'The bus stop has no roof.',
    ],
  ],
  [
    'bins',
    'en',
    [
      'The rubbish bins overflow every weekend.',
      'Foxes open the bins.',
      'Please empty the rubbish bins more often, the bins stink.',
      'There are no bins at the lake.',
    ],
  ],
  [
    'Schwimmbad',
    'de',
    [
      'Das Schwimmbad ist zu kalt.',
      'Im Hallenbad fehlen Duschen. Das Schwimmbad ist alt.',
      'Das Schwimmbad muss offen bleiben.',
    ],
  ],
  [
    'Bus',
    'de',
    [
      'Der Nachtbus fährt nie. Wir brauchen den Bus.',
      'Der Bus ist zu spät.',
      'Die Bushaltestelle hat kein Dach. Ich warte da auf den Bus.',
      'Der Bus ist voll.',
    ],
  ],
  [
    'bus',
    'nl',
    [
      'De bus komt nooit op tijd.',
      'De buurtbus is gestopt, ik mis de bus.',
      'Bij de bushalte is geen dak voor wie op de bus wacht.',
      'De bus is te duur.',
    ],
  ],
  [
    'école',
    'fr',
    [
      'L’école primaire est trop petite. L’école doit grandir.',
      'À l’école il fait froid.',
      'L’école ferme une classe.',
      'La cour de l’école est en béton.',
    ],
  ],
  [
    'mercato',
    'it',
    [
      'Il mercato coperto è vuoto. Il mercato va salvato.',
      'Al mercato mancano i banchi del pesce.',
      'Il mercato apre troppo tardi.',
    ],
  ],
]

for (const [name, language, statements] of TOGETHER)
  test(`${language}: longer and shorter names of one subject are one theme: ${name}`, async () => {
    assert.deepEqual(
      (await themesOf(language, statements)).map(([, people]) => people),
      [statements],
    )
  })

const PARKS = [
  'The park needs more benches under the trees.',
  'Please keep the park open.',
  'The car park is always full on Saturdays.',
  'Please close the car park at night.',
]

test('a theme has the name of its compound, beside a theme with one of its words', async () => {
  assert.deepEqual(
    (await themesOf('en', PARKS)).map(([heading]) => heading),
    ['Park', 'Car park'],
  )
})

test('people are against a compound, and not against what its words name alone', async () => {
  const { sections } = await summarizer.report({
    title: null,
    language: 'en',
    instructions: 'What about the car park?',
    conversations: PARKS.map((text, at) => ({
      id: `${at}`,
      title: null,
      participant: null,
      language: 'en',
      tags: at > 1 ? ['car park'] : [],
      utterances: [{ id: `${at}-0`, start: 0, text }],
    })),
    signal: new AbortController().signal,
    onProgress: () => {},
  })
  assert.deepEqual(
    sections.map(({ heading, voices }) => [heading, voices?.for, voices?.against]),
    [
      ['Car park', [], ['3']],
      ['Park', ['1'], []],
    ],
  )
})

/** Statements on one subject, and one that shares a word with them but is about something else. */
const LONE: [name: string, language: string, subject: string[], lone: string][] = [
  [
    'car park',
    'en',
    [
      'The park needs more benches.',
      'I walk my dog in the park every morning.',
      'Please keep the park open.',
    ],
    'The car park is always full on Saturdays.',
  ],
  [
    'retail park',
    'en',
    ['The park needs more benches.', 'Please keep the park open after dark.'],
    'The new retail park has taken all customers from the high street.',
  ],
  [
    'to park',
    'en',
    ['The park needs more benches.', 'Please keep the park open after dark.'],
    'I can never park near my house.',
  ],
  [
    'parked',
    'en',
    ['The park needs more benches.', 'Please keep the park open after dark.'],
    'All those parked cars block the pavement.',
  ],
  [
    'school bus',
    'en',
    ['The school needs a new roof.', 'Our school has no room for music lessons.'],
    'The school bus is always late.',
  ],
  [
    'traffic lights',
    'en',
    ['The street lamps are out.', 'We need more lamps.'],
    'The traffic lights at the crossing take ages.',
  ],
  [
    'Freizeitpark',
    'de',
    ['Der Park braucht mehr Bänke.', 'Im Park fehlen Bäume.'],
    'Der Freizeitpark ist viel zu laut.',
  ],
  [
    'Fahrschule',
    'de',
    ['Die Schule braucht ein Dach.', 'In der Schule ist es kalt.'],
    'Die Fahrschule ist zu teuer.',
  ],
  [
    'pretpark',
    'nl',
    ['In het park staan te weinig banken.', 'Het park moet schoner.'],
    'Het pretpark maakt herrie.',
  ],
  [
    'parc de stationnement',
    'fr',
    ['Le parc ferme trop tôt.', 'Il manque des bancs dans le parc.'],
    'Le parc de stationnement est plein.',
  ],
  [
    'auto-école',
    'fr',
    ['L’école a besoin d’un toit.', 'À l’école il fait froid.'],
    'L’auto-école est trop chère.',
  ],
  [
    'parque eólico',
    'es',
    ['En el parque faltan bancos.', 'El parque está muy sucio.'],
    'El parque eólico mata pájaros.',
  ],
  ['parco giochi', 'it', ['Nel parco mancano panchine.', 'Il parco è sporco.'], 'Il parco giochi è rotto.'],
]

for (const [name, language, subject, lone] of LONE)
  test(`${language}: one person who says "${name}" is not in the theme of another subject`, async () => {
    assert.deepEqual(
      (await themesOf(language, [...subject, lone])).map(([, people]) => people),
      [subject],
    )
  })

test('one person who says "school bus" speaks about the bus', async () => {
  const school = ['The school needs a new roof.', 'Our school has no room for music lessons.']
  const bus = ['The school bus is always late.', 'The bus never comes.', 'We need a bus on Sundays.']
  assert.deepEqual(
    (await themesOf('en', [...school, ...bus])).map(([, people]) => people),
    [bus, school],
  )
})

for (const [language, playground] of [
  ['nl', ['De speeltuin is vies.', 'De speeltuin moet open.', 'De glijbaan is al maanden kapot.']],
  ['de', ['Der Spielplatz ist schmutzig.', 'Der Spielplatz braucht Schatten.', 'Die Rutsche ist kaputt.']],
  ['en', ['The playground is dirty.', 'The playground needs shade.', 'There is only one swing.']],
] as const)
  test(`${language}: what stands in a playground belongs to it`, async () => {
    assert.deepEqual(
      (await themesOf(language, playground)).map(([, people]) => people),
      [playground],
    )
  })

test('nl: permits and garages for cars are about parking, and not about the park', async () => {
  const park = ['In het park staan te weinig banken.', 'Het park moet schoner.']
  const parking = ['De parkeerplaatsen zijn altijd vol.', 'Mijn parkeervergunning kost veel te veel.']
  assert.deepEqual(
    (await themesOf('nl', [...park, ...parking])).map(([, people]) => people),
    [park, parking],
  )
})
