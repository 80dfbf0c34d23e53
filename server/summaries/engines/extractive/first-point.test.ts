import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createExtractiveSummarizer } from './summarizer.ts'

const summarizer = createExtractiveSummarizer()
const summaryOf = (text: string, language: string) =>
  summarizer.summarize({
    language,
    utterances: [{ id: 'u', start: 0, text }],
    signal: new AbortController().signal,
  })

const STATEMENTS: readonly [language: string, text: string, first: RegExp][] = [
  ['de', 'Ich bin für höhere Parkgebühren. Mein Sohn schimpft mit mir.', /für höhere Parkgebühren/],
  [
    'de',
    'Wir sind alle über siebzig und brauchen unsere Mittagsruhe. Ich lehne einen neuen Spielplatz hinter unserem Haus ab.',
    /lehne einen neuen Spielplatz/,
  ],
  [
    'it',
    "Sono contro l'aumento delle tariffe dei parcheggi. Pago già le tasse, il bollo e l'assicurazione. Scusate lo sfogo.",
    /contro l'aumento/,
  ],
  ['it', "Sono favorevole all'autobus notturno. Mio figlio dice di no.", /favorevole/],
  ['en', 'You can call me on 020 7946 0812 if you need more. I would like a bench.', /would like a bench/],
  [
    'en',
    'Can you hear me? Right. We need a fenced dog area in Willow Park. My dog is old.',
    /fenced dog area/,
  ],
  ['en', 'I support the night bus. My sister in Leeds says hello.', /support the night bus/],
  [
    'nl',
    'Ik heb twee honden en ik vind dat er een losloopveld voor honden in het park moet komen. Nu lopen we langs de weg.',
    /losloopveld/,
  ],
  [
    'nl',
    'Na twaalf uur rijdt er geen bus meer naar de wijk. Ik wil graag dat de nachtbus elk weekend rijdt.',
    /nachtbus/,
  ],
  ['fr', 'Vous m’entendez ? Je suis pour le bus de nuit. Mon fils travaille tard.', /pour le bus de nuit/],
  ['es', '¿Me oyen? Rechazo el nuevo aparcamiento. Mi vecino dice lo mismo.', /Rechazo/],
  ['es', 'Estoy a favor del autobús nocturno. Perdón por el desahogo.', /a favor del autobús/],
]
for (const [language, text, first] of STATEMENTS)
  test(`${language}: the wish or objection comes first: ${text}`, async () => {
    const { title, points } = await summaryOf(text, language)
    assert.match(title, first)
    assert.match(points[0]?.text ?? '', first)
  })

/** Each with a sentence after the point that says less. */
const KINDS: Readonly<Record<string, readonly [language: string, text: string, first: RegExp][]>> = {
  'a removal that the person fears': [
    [
      'en',
      'I go there every day. If they close the swimming baths, my mother will never leave the house. She is ninety.',
      /swimming baths/,
    ],
    [
      'nl',
      'Ik kom er elke dag. Als het buurthuis gesloten wordt, zie ik geen mens. Ik ben negentig.',
      /buurthuis/,
    ],
    [
      'de',
      'Ich bin jeden Tag da. Wenn das Hallenbad geschlossen wird, sehe ich die anderen nicht wieder. Wir sind acht Leute.',
      /Hallenbad/,
    ],
    [
      'fr',
      "J'y vais chaque jour. Si on ferme le gymnase, les jeunes iront traîner. J'ai deux garçons.",
      /gymnase/,
    ],
    [
      'es',
      'Voy cada día. Si cierran el polideportivo, los chavales se van a la calle. Yo tengo dos.',
      /polideportivo/,
    ],
    [
      'it',
      'Ci vado ogni giorno. Se chiudono la palestra, i giovani vanno in giro. Io ne ho due.',
      /palestra/,
    ],
  ],
  'a question for something': [
    ['en', 'Could there be a bench at the surgery? My knees are not young.', /bench/],
    ['en', "Couldn't there be a crossing by the mill? I walk there with the pram.", /crossing/],
    ['fr', 'Est-ce qu’il pourrait y avoir un banc devant la poste ? Mes genoux ont leur âge.', /banc/],
  ],
  'a wish in the passive': [
    ['nl', 'Aan dat gras mag ook wel eens wat gedaan worden. Ik woon er al lang.', /gras/],
    ['nl', 'Die heggen mogen wel wat vaker gesnoeid worden. Ik woon er al lang.', /heggen/],
    ['de', 'Das Parkhaus gehört abgerissen. Wir haben in der Nachbarstadt eins.', /Parkhaus/],
    ['de', 'Raser gehören bestraft. Wir haben zwei Blitzer im Ort.', /Raser/],
  ],
  'a wish with “que” and a subjunctive': [
    ['es', 'Que limpien la fuente todas las semanas. Huele mal.', /fuente/],
    ['es', 'Que no nos cambien el médico otra vez. Ya van tres este año.', /médico/],
    ['fr', "Qu'on nous rende notre boulangerie. On roule dix kilomètres.", /boulangerie/],
    ['it', 'Che ci ridiano il medico di base. Ne sono passati tre.', /medico/],
  ],
  'an objection with adverbs': [
    ['nl', 'Zo’n toren naast de molen, dat willen wij hier absoluut niet. Er komt dan geen zon.', /toren/],
    ['nl', 'Een casino op de markt zie ik echt helemaal niet zitten. Er wonen veel ouderen.', /casino/],
  ],
  'what cannot be borne': [
    ['de', 'Der Schulhof ist viel zu laut. Ich arbeite nachts.', /Schulhof/],
    ['en', 'The bin lorry is far too loud. I work nights.', /lorry/],
    ['fr', 'La salle des fêtes est beaucoup trop bruyante. Je travaille la nuit.', /salle/],
    ['es', 'La feria es demasiado ruidosa. Trabajo de noche.', /feria/],
    ['it', 'La sagra è troppo rumorosa. Lavoro di notte.', /sagra/],
    ['en', "There's nowhere to sit in the whole high street. I have a bad hip.", /nowhere to sit/],
    ['es', 'No hay quien cruce la avenida por la mañana. Mi hija va al colegio.', /avenida/],
  ],
  'a point, and not the courtesy after it': [
    [
      'en',
      'My bus comes at ten past and the train leaves at nine. Other than that, no complaints.',
      /bus comes/,
    ],
    ['en', 'The clock at the town hall is wrong. Apart from that I am happy here.', /clock/],
    ['nl', 'De klok van het raadhuis loopt achter. Verder heb ik geen klachten.', /klok/],
    ['nl', 'De klok van het raadhuis loopt achter. Meer wensen heb ik niet.', /klok/],
    ['de', 'Die Uhr am Rathaus geht falsch. Mehr wollte ich gar nicht sagen.', /Uhr/],
    ['de', 'Die Uhr am Rathaus geht falsch. Sonst bin ich zufrieden.', /Uhr/],
    ['fr', "L'horloge de la mairie retarde. À part ça, rien à dire.", /horloge/],
    ['es', 'El reloj del ayuntamiento va mal. Por lo demás, todo bien.', /reloj/],
    ['it', "L'orologio del municipio va indietro. Per il resto, tutto bene.", /orologio/],
    [
      'en',
      'I should probably say that I work for the council. Please mend the clock at the town hall.',
      /clock/,
    ],
    ['en', 'My wife says I should not start about this. Please mend the clock at the town hall.', /clock/],
  ],
  'a point, and not what the person has nothing against': [
    ['es', 'Los perros sueltos del parque me dan miedo. Y no tengo nada contra los animales, eh.', /sueltos/],
    ['nl', 'De scooters op het pad maken me bang. Ik heb niks tegen de jeugd hoor.', /scooters/],
    ['de', 'Die Roller auf dem Weg machen mir Angst. Ich habe nichts gegen die Jugend.', /Roller/],
    ['it', 'I monopattini sul viale mi fanno paura. Non ho niente contro i giovani.', /monopattini/],
    ['fr', "Les trottinettes du quai me font peur. Je n'ai rien contre les jeunes.", /trottinettes/],
  ],
  'what spoils or disgusts': [
    ['en', 'That car wash would wreck the quiet of our lane. My sister has one next door.', /car wash/],
    ['nl', 'Die reclameborden verpesten het uitzicht op de dijk. Mijn zus woont er ook.', /reclameborden/],
    ['nl', 'Het water in de gracht is gewoon goor. Vroeger zwommen we daar.', /gracht/],
    ['de', 'Dieser Klotz verschandelt den ganzen Marktplatz. Meine Schwester sagt das auch.', /Klotz/],
    ['de', 'Eine Disco neben dem Altenheim, das geht zu weit. Meine Mutter wohnt dort.', /Disco/],
    ['fr', 'Ces panneaux défigurent la vallée. Ma sœur habite en face.', /panneaux/],
    ['es', 'Los carteles destrozan la vista de la playa. Mi hermana vive enfrente.', /carteles/],
    ['it', 'Quei cartelloni deturpano il paesaggio. Mia sorella abita di fronte.', /cartelloni/],
  ],
  'what is going to happen, or has support': [
    ['en', "Somebody's going to get hurt on those steps. We have lived here since May.", /steps/],
    ['en', 'The tram has my vote. My cousin drives one in Leeds.', /tram/],
    ['fr', 'Il va y avoir un accident au carrefour. On habite ici depuis mai.', /carrefour/],
    ['es', 'En ese cruce va a haber una desgracia. Vivimos aquí desde mayo.', /cruce/],
    ['it', 'La pista ha il mio voto. Mio cugino ci lavora.', /pista/],
  ],
  'an objection in other words': [
    ['nl', 'Van mij hoeft die hele kermis er niet te komen. Koop er liever boeken van.', /kermis/],
    ['nl', 'Zulke vrachtwagens horen niet in een woonwijk. Mijn broer rijdt er zelf een.', /vrachtwagens/],
    ['fr', "Un parking souterrain, je n'en veux pas. On a déjà creusé deux fois.", /parking/],
    ['es', 'No nos pongan otra antena en el tejado. Los del quinto ya se han ido.', /antena/],
    [
      'es',
      'Llevamos un año sin ascensor y así no se puede vivir. El otro día subí a mi madre en brazos.',
      /ascensor/,
    ],
    ['de', 'Die alte Linde darf auf keinen Fall weg. Da haben schon meine Großeltern gesessen.', /Linde/],
  ],
  'a wish, and not what a relative has to do': [
    ['nl', 'Mijn zoontje van zes moet de drukke weg over. Kan daar niet een zebrapad komen?', /zebrapad/],
    ['de', 'Meine Mutter muss zum Arzt in die Stadt. Könnte man den Bus nicht wieder fahren lassen?', /Bus/],
  ],
}
for (const [kind, rows] of Object.entries(KINDS))
  for (const [language, text, first] of rows)
    test(`${language}: the summary begins with ${kind}: ${text}`, async () => {
      const { points } = await sentencesOf(text, language)
      assert.match(points[0]?.text ?? '', first)
    })

/** As speech recognition writes it, one sentence for each segment. */
const sentencesOf = (text: string, language: string) =>
  summarizer.summarize({
    language,
    utterances: text.split(/(?<=[.?!]) /u).map((said, at) => ({ id: `u${at}`, start: at * 4, text: said })),
    signal: new AbortController().signal,
  })
