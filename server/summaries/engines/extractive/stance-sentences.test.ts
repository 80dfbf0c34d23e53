import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPassages } from './passages.ts'
import { stanceOf } from './stance.ts'

/** The side that one sentence takes on the subject whose words begin so. */
async function sideOf(text: string, language: string, subject: string) {
  const signal = new AbortController().signal
  const [passage] = await readPassages([{ id: 'u', start: 0, text }], language, signal)
  return passage ? stanceOf(passage, (key) => key.startsWith(subject)) : null
}

type Table = Readonly<Record<string, readonly (readonly [subject: string, ...sentences: string[]])[]>>

const check = (title: string, side: 'for' | 'against' | null, table: Table) => {
  for (const [language, rows] of Object.entries(table))
    for (const [subject, ...sentences] of rows)
      for (const sentence of sentences)
        test(`${title} (${language}): ${sentence}`, async () => {
          assert.equal(await sideOf(sentence, language, subject), side)
        })
}

check('a restriction of the subject takes no side', null, {
  en: [
    [
      'dog',
      'Dogs should be kept on a leash.',
      'Please keep dogs away from the lake.',
      'Keep the dogs out of the playground.',
      'Dogs must be kept under control.',
      'I would like dogs to be kept on a leash in the park before nine.',
      'I want all dogs on a lead.',
      'Dogs should stay off the grass.',
    ],
    ['car', 'Keep cars out of our street.'],
  ],
  nl: [
    [
      'hond',
      'Houd honden aan de lijn.',
      'Honden moeten aan de lijn blijven.',
      'Houd honden weg bij het water.',
      'Ik wil dat honden aangelijnd zijn.',
      'Houd de honden onder controle.',
      'Houd honden uit de speeltuin.',
    ],
  ],
  de: [
    [
      'hund',
      'Hunde sollten an der Leine bleiben.',
      'Bitte lasst Hunde an der Leine.',
      'Halten Sie Hunde vom See fern.',
      'Ich möchte Hunde an der Leine sehen.',
      'Hunde müssen unter Kontrolle bleiben.',
      'Hunde sollen vom Spielplatz fernbleiben.',
    ],
  ],
  fr: [
    [
      'chien',
      'Gardez les chiens loin du lac.',
      'Gardez les chiens en laisse.',
      'Il faudrait que les chiens restent en laisse.',
      'Je voudrais les chiens en laisse.',
      "Gardez les chiens à l'écart des enfants.",
      'Gardez les chiens hors du parc de jeux.',
    ],
  ],
  es: [
    [
      'perro',
      'Mantengan los perros lejos del lago.',
      'Mantengan los perros con correa.',
      'Quiero los perros con correa.',
      'Hay que mantener a los perros bajo control.',
      'Mantengan los perros fuera del parque infantil.',
    ],
  ],
  it: [
    [
      'cani',
      'Tenete i cani lontano dal lago.',
      'Tenete i cani al guinzaglio.',
      'Vorrei i cani al guinzaglio.',
      'Bisogna tenere i cani sotto controllo.',
      'Tenete i cani fuori dal parco giochi.',
    ],
  ],
})

check('a complaint that the subject is missing takes no side', null, {
  en: [
    [
      'bus',
      'There is no bus home after nine.',
      "There's no bus anymore.",
      'There are no more buses after ten.',
      'We have no bus any more.',
      'The bus no longer comes here.',
    ],
  ],
  nl: [
    [
      'bus',
      'Er rijdt geen bus meer naar de wijk.',
      'Na twaalf uur rijdt er geen bus meer naar de wijk.',
      'Er is geen bus meer.',
      'We hebben geen bus meer.',
    ],
  ],
  de: [
    [
      'bus',
      'Es fährt kein Bus mehr.',
      'Nach zehn fährt kein Bus mehr ins Dorf.',
      'Es gibt keinen Bus mehr.',
      'Wir haben keinen Bus mehr.',
    ],
  ],
  fr: [
    [
      'bus',
      "Il n'y a plus de bus.",
      "Il n'y a plus de bus de nuit après une heure.",
      'Nous n’avons plus de bus.',
      'Plus de bus ici, merci.',
    ],
  ],
  es: [['autobús', 'Ya no hay autobús.', 'No hay más autobuses por la noche.', 'Ya no pasa ningún autobús.']],
  it: [['autobus', "Non c'è più l'autobus.", 'Non ci sono più autobus.', 'Non passa più nessun autobus.']],
})

check('a person in favour', 'for', {
  en: [
    [
      'park',
      'I am for higher parking fees.',
      'I am in favour of higher parking fees.',
      'I support the parking fees.',
      'I think the higher parking fees are a good idea.',
      "I'm all for parking fees.",
    ],
    ['bus', 'I support the bus.', 'The night bus is a great idea.', 'We are in favor of the night bus.'],
    ['tree', 'I am in favour of the trees.'],
  ],
  nl: [
    [
      'speeltuin',
      'Er moet een speeltuin komen.',
      'Er moet een speeltuin komen voor de kleintjes.',
      'Ik ben voor een speeltuin.',
      'Ik ben voorstander van een speeltuin.',
      'Een speeltuin is een goed idee.',
      'Ik steun de speeltuin.',
    ],
    ['losloopveld', 'Ik vind dat er een losloopveld voor honden in het park moet komen.'],
  ],
  de: [
    [
      'bus',
      'Ich bin für einen Bus.',
      'Ich bin dafür, dass der Bus bleibt.',
      'Ich bin dafür, dass ein Bus gebaut wird.',
      'Ich befürworte den Bus.',
      'Ich unterstütze den Bus.',
      'Der Bus ist eine gute Idee.',
    ],
  ],
  fr: [
    [
      'bus',
      'Je suis pour le bus.',
      'Je soutiens le bus.',
      'Je suis favorable au bus.',
      'Le bus est une bonne idée.',
    ],
    ['arbre', 'Je suis pour les arbres.', 'Je suis en faveur des arbres.'],
  ],
  es: [
    [
      'autobús',
      'Estoy a favor del autobús.',
      'Apoyo el autobús.',
      'El autobús es una buena idea.',
      'Soy partidaria del autobús.',
    ],
  ],
  it: [
    [
      'autobus',
      "Sono favorevole all'autobus.",
      "Sono a favore dell'autobus.",
      "Appoggio l'autobus.",
      "L'autobus è una buona idea.",
    ],
  ],
})

check('a person against', 'against', {
  en: [
    [
      'bus',
      'I am not in favour of the bus.',
      'I do not support the bus.',
      'The bus is not a good idea.',
      'The bus is a bad idea.',
      'I reject the bus.',
      'I oppose the bus.',
      'No more buses, please.',
    ],
  ],
  nl: [
    [
      'speeltuin',
      'Er moet geen speeltuin komen.',
      'Ik ben geen voorstander van een speeltuin.',
      'Ik ben niet voor een speeltuin.',
      'De speeltuin is een slecht idee.',
    ],
  ],
  de: [
    [
      'spielplatz',
      'Ich lehne einen neuen Spielplatz hinter unserem Haus ab.',
      'Ich lehne jeden weiteren Spielplatz in unserem ohnehin schon viel zu lauten Viertel ab.',
      'Wir lehnen den Spielplatz ab.',
      'Ich bin nicht für den Spielplatz.',
      'Der Spielplatz ist keine gute Idee.',
      'Der Spielplatz ist eine schlechte Idee.',
    ],
  ],
  fr: [
    [
      'bus',
      'Je ne suis pas pour le bus.',
      'Je suis contre le bus.',
      'Je rejette le bus.',
      "Le bus n'est pas une bonne idée.",
      'Le bus est une mauvaise idée.',
    ],
  ],
  es: [
    [
      'autobús',
      'Rechazo el autobús.',
      'No estoy a favor del autobús.',
      'Rechazamos el autobús nocturno.',
      'El autobús no es una buena idea.',
      'El autobús es una mala idea.',
    ],
  ],
  it: [
    [
      'autobus',
      "Sono contro l'autobus.",
      "Non sono favorevole all'autobus.",
      "L'autobus non è una buona idea.",
      "L'autobus è una pessima idea.",
    ],
    ['bus', 'Sono contro il bus, fa rumore.'],
    ['tariff', "Sono contro l'aumento delle tariffe dei parcheggi."],
  ],
})

check('words that also say something else take no side', null, {
  en: [['bus', 'We are for the first time on this bus.', 'I am scared of the bus.']],
  nl: [['bus', 'Ik ben bang voor de bus.', 'Ik ben voor het eerst met de bus.']],
  de: [['bus', 'Ich bin verantwortlich für den Bus.', 'Ich halte den Bus an.']],
  fr: [['bus', 'Je prends le bus pour aller au travail.']],
  es: [['autobús', 'El autobús pasa a las nueve.']],
  it: [['autobus', "Prendo l'autobus per andare al lavoro."]],
})

check('a removal that a person wants is against the subject', 'against', {
  en: [['tree', 'I am in favour of cutting down and removing the trees.', 'I am for removing the trees.']],
  de: [['kiosk', 'Ich bin dafür, dass der Kiosk geschlossen wird.']],
  nl: [['kiosk', 'Ik ben ervoor dat de kiosk wordt gesloten.']],
  fr: [['kiosque', 'Je suis pour la fermeture du kiosque.']],
  es: [['quiosco', 'Estoy a favor del cierre del quiosco.']],
  it: [['chiosco', 'Sono favorevole alla chiusura del chiosco.']],
})

check('a person who wants the subject elsewhere, or switched off, takes no side', null, {
  en: [
    ['dog', 'I want dogs off the beach in July and August.', 'We would like the dogs off the beach.'],
    ['car', 'I want cars out of the centre.', 'We need cars out of the old town.'],
    ['lamp', 'Please leave the lamps off.'],
    ['music', 'I want the music off at ten.'],
  ],
  nl: [
    ['auto', "Ik wil de auto's uit het centrum.", "Ik wil die auto's uit onze straat."],
    ['hond', 'Ik wil de honden van het strand af.'],
    ['lamp', 'Laat de lampen uit na middernacht.'],
  ],
  de: [
    ['auto', 'Ich will die Autos aus der Innenstadt haben.', 'Wir wollen Autos raus aus der Altstadt.'],
    ['lampe', 'Lasst die Lampen nach Mitternacht aus.'],
  ],
  fr: [
    ['voiture', 'Je veux les voitures hors du centre.', 'Nous voulons les voitures en dehors du village.'],
    ['lampe', 'Laissez les lampes éteintes après minuit.'],
  ],
  es: [
    ['coche', 'Quiero los coches fuera del centro.', 'Queremos a los coches fuera del pueblo.'],
    ['farola', 'Dejen las farolas apagadas.'],
  ],
  it: [
    ['auto', 'Voglio le auto fuori dal centro.', 'Vogliamo le auto fuori dal paese.'],
    ['lampioni', 'Lasciate i lampioni spenti di notte.'],
  ],
})

check('a wish for the subject in another place is in favour', 'for', {
  en: [['bench', 'I want more benches outside the library.']],
  nl: [['bank', 'Ik wil meer banken buiten bij de bibliotheek.']],
  de: [['bänke', 'Ich will mehr Bänke draußen vor der Bücherei.']],
  es: [['banco', 'Quiero bancos fuera de la biblioteca.']],
  it: [['panchine', 'Voglio panchine fuori dalla biblioteca.']],
})

check('a person who does not want trees to be felled is in favour of them', 'for', {
  en: [
    [
      'tree',
      'I am against cutting down the trees.',
      "Don't cut down the trees.",
      'I do not want the trees to be cut down.',
      'Please stop felling trees.',
    ],
  ],
  nl: [
    [
      'bomen',
      'Kap de bomen niet.',
      'Ik ben tegen het kappen van de bomen.',
      'Ik ben tegen de kap van de bomen.',
    ],
  ],
  de: [
    ['bäume', 'Ich bin gegen das Fällen der Bäume.', 'Fällt die Bäume nicht.', 'Holzt die Bäume nicht ab.'],
  ],
  fr: [
    [
      'arbre',
      "Je suis contre l'abattage des arbres.",
      "N'abattez pas les arbres.",
      'Ne coupez pas les arbres.',
      "Je ne veux pas qu'on coupe les arbres.",
    ],
  ],
  es: [
    [
      'árbol',
      'Estoy en contra de talar los árboles.',
      'Estoy en contra de la tala de los árboles.',
      'No talen los árboles.',
      'No corten los árboles.',
    ],
  ],
  it: [
    [
      'alberi',
      "Sono contrario all'abbattimento degli alberi.",
      'Non abbattete gli alberi.',
      'Non tagliate gli alberi.',
    ],
  ],
})

check('a person who says "do not remove" is in favour', 'for', {
  en: [
    ['kiosk', "Don't close the kiosk.", 'Don’t demolish the kiosk!', 'Honestly, don’t take away the kiosk.'],
  ],
  nl: [['kiosk', 'Ik ben tegen het verwijderen van de kiosk.', 'Ik ben tegen het sluiten van de kiosk.']],
  fr: [['kiosque', "N'enlevez pas le kiosque."]],
  es: [['quiosco', 'No derriben el quiosco.']],
  it: [['chiosco', 'Non demolite il chiosco.']],
})

check('a request to fell trees is against them', 'against', {
  en: [['tree', 'Please cut down the trees in front of my window.']],
  nl: [['bomen', 'Kap de bomen voor mijn raam.']],
  de: [['bäume', 'Fällt die Bäume vor meinem Fenster.']],
  fr: [['arbre', 'Abattez les arbres devant ma fenêtre.']],
  es: [['árbol', 'Talen los árboles delante de mi ventana.']],
  it: [['alberi', 'Abbattete gli alberi davanti alla mia finestra.']],
})

check('an objection to another change of the subject takes no side', null, {
  en: [
    ['bus', 'I am against replacing the bus with a taxi.'],
    ['librarian', 'I am opposed to replacing our librarians with machines.'],
    ['budget', 'I am against cutting the budget of the pool.'],
    ['park', 'I am against renaming the park.'],
  ],
  nl: [
    ['bus', 'Ik ben tegen het vervangen van de bus door een taxi.'],
    ['park', 'Ik ben tegen het hernoemen van het park.'],
  ],
  de: [
    ['bus', 'Ich bin gegen das Ersetzen des Busses durch ein Taxi.'],
    ['park', 'Ich bin gegen die Umbenennung des Parks.'],
  ],
  fr: [['bus', 'Je suis contre le remplacement du bus par un taxi.', 'Contre le remplacement du bus.']],
  es: [['bus', 'Estoy en contra de sustituir el bus por un taxi.']],
  it: [['bus', 'Sono contrario a sostituire il bus con un taxi.']],
})

check('an objection to the subject, or to creating or allowing it, is against it', 'against', {
  en: [
    ['tower', 'I am against having the tower.', 'I am against introducing the tower here.'],
    ['car', 'I am against allowing the cars.', 'I am against letting those cars in.'],
    ['parking', 'I am against parking fees.', 'I am against the car parking.'],
  ],
  nl: [
    [
      'toren',
      'Ik ben tegen het bouwen van de toren.',
      'Ik ben tegen de bouw van de toren.',
      'Ik ben tegen het plaatsen van de toren.',
    ],
  ],
  de: [
    [
      'turm',
      'Ich bin gegen den Turm des Investors.',
      'Ich bin gegen die Errichtung des Turms.',
      'Ich bin gegen die Genehmigung des Turms.',
      'Ich bin gegen das Aufstellen des Turms.',
    ],
  ],
  fr: [
    [
      'tour',
      'Je suis contre la construction de la tour.',
      'Je suis contre la présence de la tour.',
      "Je suis contre l'installation de la tour.",
    ],
  ],
  es: [
    [
      'torre',
      'Estoy en contra de construir la torre.',
      'Estoy en contra de permitir la torre.',
      'Estoy en contra de la torre.',
    ],
  ],
  it: [['torre', 'Sono contrario a costruire la torre.', 'Sono contrario ad avere la torre.']],
})

check('an objection to what the subject brings takes no side on it', null, {
  en: [
    ['bike', 'I am against the theft of bikes.', 'We are opposed to the theft of our bikes.'],
    ['festival', 'I am against the noise of the festival.'],
  ],
  nl: [['terras', 'Ik ben tegen de herrie van de terrassen.']],
  fr: [
    ['terrass', 'Je suis contre le bruit des terrasses.'],
    ['vélo', 'Je suis contre le vol de vélos.'],
  ],
  es: [
    ['terraz', 'Estoy en contra del ruido de las terrazas.'],
    ['terraz', 'Y yo no tengo nada contra las terrazas, eh.'],
  ],
  it: [
    ['bicic', 'Contro i furti di biciclette ci vorrebbero le telecamere.'],
    ['bar', 'Sono contrario al rumore dei bar.'],
  ],
})

check('an objection to the plan of a subject is against it', 'against', {
  en: [
    ['tower', 'I am against the idea of a tower.', 'I am against the construction of the tower.'],
    ['market', 'I am against another day of market.'],
  ],
  fr: [['tour', "Je suis contre l'idée d'une tour.", 'Je suis contre le projet de la tour.']],
  es: [['torre', 'Estoy en contra de la idea de la torre.', 'Estoy en contra del proyecto de la torre.']],
  it: [['torre', "Sono contro l'idea di una torre.", 'Sono contro il progetto della torre.']],
  nl: [['toren', 'Ik ben tegen het plan van de toren.']],
})

check('a wish not to lose the subject is in favour', 'for', {
  en: [
    [
      'pool',
      "I'd hate to lose the pool.",
      'We would lose the pool.',
      "I don't want to lose the pool.",
      'Losing the pool would be a disaster.',
    ],
  ],
  nl: [['zwembad', 'Ik wil het zwembad niet kwijt.', 'Ik wil het zwembad niet verliezen.']],
  de: [['hallenbad', 'Ich will das Hallenbad nicht verlieren.']],
  fr: [['piscine', 'Je ne veux pas perdre la piscine.']],
  es: [
    ['piscina', 'No quiero perder la piscina.', 'Que no nos quiten la piscina, por favor.'],
    ['terraza', 'Que no nos cierren las terrazas.'],
  ],
  it: [['piscina', 'Non voglio perdere la piscina.']],
})

check('a loss that does not matter, or that was suffered, takes no side', null, {
  en: [
    ['park', "I wouldn't mind losing the car park.", 'We lost the park years ago.'],
    ['space', 'If we lose the spaces, I will go by bus.'],
    ['kiosk', "I wouldn't mind a kiosk."],
  ],
})

check('a wish with a view before it takes a side', 'against', {
  nl: [
    ['vuurwerk', 'Van mij mag dat vuurwerk helemaal verboden worden.'],
    ['kermis', 'Wat mij betreft moet de kermis verdwijnen.'],
    ['vuurwerk', 'Verbied dat vuurwerk nou eindelijk eens.'],
  ],
  de: [
    ['freibad', 'Das Freibad gehört geschlossen.'],
    ['feuerwerk', 'Von mir aus sollte man das Feuerwerk verbieten.'],
  ],
  en: [['firework', 'For my part, I would like to see fireworks banned.']],
})

check('a demonstrative does not begin a clause', 'for', {
  nl: [['vuurwerk', 'Laat ons dat vuurwerk nou gewoon houden.', 'Ik wil dat vuurwerk echt houden.']],
})

check('what would be important or lovely is wanted', 'for', {
  en: [['path', 'A cycle path on the High Street would be great.']],
  nl: [['fietspad', 'Een fietspad langs de Dorpsstraat zou heel fijn zijn.']],
  de: [['radweg', 'Ein Radweg in der Hauptstraße wäre für uns Schüler echt wichtig.']],
  fr: [['piste', 'Une piste cyclable rue de la Gare serait formidable.']],
  es: [['carril', 'Un carril en la avenida sería muy útil.']],
  it: [['pista', 'Una pista lungo il viale sarebbe molto utile.']],
})

check('an opinion after the subject is about the subject', 'for', {
  en: [['pool', 'The new pool gets my vote.', 'A pool by the lake, that has our full support.']],
  nl: [['zwembad', 'Het zwembad krijgt mijn stem.', 'Een zwembad, dat heeft mijn steun.']],
  de: [
    [
      'schwimmbad',
      'Das Schwimmbad hat meine Stimme.',
      'Ein Schwimmbad am See, das bekommt meine volle Unterstützung.',
    ],
  ],
  fr: [
    [
      'piscin',
      'La piscine a mon soutien.',
      'La piscine municipale, je suis plutôt pour.',
      'Je suis plutôt pour la piscine.',
    ],
  ],
  es: [['piscin', 'La piscina tiene mi voto.']],
  it: [['piscin', 'La piscina ha il mio voto.']],
})

check('an opinion after the subject is against the subject', 'against', {
  en: [
    [
      'tower',
      'The tower goes too far.',
      'A tower by the lake, that really goes too far.',
      'The tower does not get my vote.',
    ],
  ],
  nl: [['toren', 'De toren gaat mij te ver.', 'Een toren aan het meer, dat gaat echt te ver.']],
  de: [
    [
      'turm',
      'Der Turm geht zu weit.',
      'Ein Turm am See, das geht mir zu weit.',
      'Der Turm hat nicht meine Stimme.',
    ],
  ],
  fr: [['tour', 'La tour va trop loin.', 'Le projet de tour va trop loin.']],
  es: [['torre', 'La torre va demasiado lejos.']],
  it: [['torre', 'La torre va troppo oltre.']],
})

check('an opinion on closing the subject takes the side on closing it', 'against', {
  en: [['kiosk', 'Closing the kiosk gets my vote.']],
})

check('an objection to closing the subject is in favour of it', 'for', {
  en: [['kiosk', 'Closing the kiosk goes too far.']],
  de: [['kiosk', 'Den Kiosk schließen, das geht zu weit.']],
})

check('an opinion on something else takes no side', null, {
  en: [
    [
      'pool',
      'The noise at the pool goes too far.',
      'The price of the pool goes too far.',
      'The pool attendant goes too far.',
    ],
    [
      'bus',
      'The bus never comes, that goes too far.',
      'That goes too far.',
      'I took the bus and voted, and that goes too far.',
    ],
    ['tower', 'The tower does not go too far.'],
  ],
  de: [['bus', 'Der Bus kommt nie, das geht zu weit.', 'Im Bus wird geschrien, das geht zu weit.']],
  fr: [['bus', 'Le chauffeur du bus va trop loin.', 'Le bus ne vient jamais, ça va trop loin.']],
  nl: [['bus', 'De bus komt nooit, dat gaat te ver.']],
})
