import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createExtractiveSummarizer } from './summarizer.ts'

const summarizer = createExtractiveSummarizer()

const summaryOf = (text: string, language: string) =>
  summarizer.summarize({
    language,
    utterances: text.split(/(?<=[.?!]) /u).map((said, at) => ({ id: `u${at}`, start: at * 4, text: said })),
    signal: new AbortController().signal,
  })

/** As people speak, with greetings, apologies and a story before the point, which is in brackets. */
const STATEMENTS: readonly [language: string, text: string][] = [
  [
    'en',
    "Oh, hello, is it my turn? Sorry, I've never done this before. So, my husband had a stroke two years ago, and since then he walks with a frame. We used to go down to the river every evening. Now the ramp by the boathouse is so steep that [I'd be grateful if somebody could put a handrail on the ramp].",
  ],
  [
    'en',
    "Right, so, bear with me. I run the little launderette on Cross Lane, have done since ninety-eight. They've dug up the pavement three times this year, three times. [All I'm asking is that they tell us before they start digging]. That's it really.",
  ],
  [
    'en',
    "Erm, I don't want to moan, because people work hard, I know that. But the podcast, I mean the leaflet, said there'd be a crossing outside the nursery by Easter. It's November. [When are we actually getting the crossing]?",
  ],
  [
    'en',
    "Good evening, and thank you for doing this. I'm Yusuf, I drive a taxi, nights mostly. What gets me is the speed bumps on Ferry Road. [They ought to take the speed bumps out again], my back is ruined and the ambulances crawl.",
  ],
  [
    'en',
    "Um, well, this might sound silly. When my cat died I realised I don't know a single person on my staircase. Not one. [It'd be nice if there was somewhere to have a coffee together], you know, without having to buy a three-pound latte.",
  ],
  [
    'en',
    "Yeah hi. Look, I'll be quick. The skate park, right? My mates and me are there every day and we're not causing trouble. [Please don't fence it off] just because some lad broke a window at the surgery.",
  ],
  [
    'en',
    "I'm sorry, I get emotional about this. My mum waited eleven hours in A and E, on a chair, with a broken hip. The nurses were lovely, they were run off their feet. [There simply have to be more beds].",
  ],
  [
    'en',
    "Okay, so first of all, I love this town, I was born here. But my daughter, she's twenty-six, she's moved to Leeds because she couldn't find a flat. [I'm worried that all the young ones will leave]. And then who's going to look after us?",
  ],
  [
    'nl',
    'Ja, goedemiddag, sorry dat ik wat zacht praat, ik ben verkouden. Ik woon aan de Kade, nummer elf. Mijn man is slechtziend, en sinds de verbouwing staan er overal paaltjes. [Zouden jullie die paaltjes alsjeblieft kunnen verven], geel of zo?',
  ],
  [
    'nl',
    'Eh, hallo. Nou, ik zal het kort houden. Wij hebben een restaurantje bij de haven. De gemeente wil de terrassen om tien uur dicht, en [daar ben ik het echt niet mee eens], want dan verdienen wij niks meer.',
  ],
  [
    'nl',
    'Ik ben eigenlijk best tevreden hoor, laat ik dat vooropstellen. Alleen de huisarts, die zit nu in een container naast de sporthal. Al drie jaar. [Ik hoop dat er eindelijk een echte praktijk komt].',
  ],
  [
    'nl',
    'Hoi, ik ben Fleur, ik ben vijftien. Na school is er niks te doen, echt niks. We hangen dan bij de supermarkt en dan worden we weggestuurd. [Geef ons gewoon een plek waar we mogen zijn].',
  ],
  [
    'nl',
    'Sorry hoor, ik moet even nadenken. Het was, wacht, in mei, toen viel mijn moeder over een losse stoeptegel. Heup gebroken. [De stoep in de Wilgenlaan moet nodig gerepareerd worden].',
  ],
  [
    'nl',
    "Goedenavond allemaal. Ik heb dertig jaar les gegeven op de basisschool hier. Wat ik zie, en dat doet me pijn, is dat kinderen 's ochtends met een lege maag komen. [Ik zou willen dat elk kind een ontbijt krijgt].",
  ],
  [
    'nl',
    "Ja weet je, ik werk in de nachtploeg bij de bakkerij. Om vier uur 's middags slaap ik net. En dan begint die bladblazer. [Kan dat niet met een hark]?",
  ],
  [
    'de',
    'Grüß Gott, entschuldigen Sie, ich bin etwas aufgeregt. Also, mein Mann und ich, wir wohnen seit vierzig Jahren am Anger. Früher gab es da einen Brunnen. [Ich fände es schön, wenn der Brunnen wieder laufen würde].',
  ],
  [
    'de',
    'Hm, ja, wie soll ich sagen. Ich pflege meine Schwiegermutter, sie ist dement. Ich komme kaum raus. [Was uns fehlt, ist jemand, der mal einen Nachmittag übernimmt].',
  ],
  [
    'de',
    "Moin, ich mach's kurz, der Kutter wartet. [Die wollen die Mole sperren] wegen der Touristen. Das geht so nicht, wo sollen wir denn anlegen?",
  ],
  [
    'de',
    'Also ich bin Schülerin an der Realschule, neunte Klasse. Bei uns auf dem Klo gibt es seit Wochen keine Seife, wirklich. [Könnte da bitte mal jemand Seife hinstellen]? Danke.',
  ],
  [
    'de',
    'Guten Abend, äh, Entschuldigung, dass ich so spät komme. Ich habe heute schon drei Stunden beim Amt gesessen. Mit zwei kleinen Kindern. Man zieht eine Nummer und wartet und wartet. [Es müsste doch möglich sein, einen Termin online zu buchen].',
  ],
  [
    'de',
    'Tja, ich bin Landwirt, in der vierten Generation. Jetzt soll die Umgehungsstraße quer durch meine besten Äcker gehen. [Ich werde mein Land nicht hergeben], das sage ich ganz offen.',
  ],
  [
    'de',
    'Mir liegt, also, mir liegt der Chor am Herzen. Wir proben seit dem Wasserschaden in der Aula, und da zieht es. Die Hälfte ist erkältet. [Deshalb hätten wir gern einen beheizten Raum].',
  ],
  [
    'fr',
    "Bonjour à tous, pardon, j'ai un peu la voix cassée. Voilà, moi je garde des enfants à la maison, quatre petits. Au square il n'y a plus de barrière depuis la tempête. [J'aimerais bien qu'on remette la barrière], parce que j'ai eu une de ces peurs.",
  ],
  [
    'fr',
    "Euh, alors, comment dire. Mon père est mort en janvier et je n'ai pas pu trouver de place au cimetière du village. Il est à vingt kilomètres. [Il faudrait agrandir le cimetière], c'est tout ce que je demande.",
  ],
  [
    'fr',
    "Bonsoir. Excusez-moi, je ne parle pas bien, je suis arrivée il y a deux ans. Les cours de français, c'est seulement le mardi matin. Moi je travaille le matin. [Est-ce que vous pourriez faire un cours le soir]?",
  ],
  [
    'fr',
    'Bon, je vais être franc. Les chasseurs, tous les dimanches, à cent mètres de chez nous. Le chien tremble sous la table. [Je ne veux plus entendre un seul coup de fusil le dimanche].',
  ],
  [
    'fr',
    "Ben moi, vous savez, je suis à la retraite, j'ai le temps. Je pourrais réparer des vélos, des grille-pain, n'importe quoi. [Pourquoi on n'ouvrirait pas un atelier] dans l'ancienne caserne?",
  ],
  [
    'fr',
    "Alors, petite anecdote. L'autre jour, au guichet de la poste, la dame me dit : tout est sur Internet maintenant. Je n'ai pas Internet, moi. [Ce qui m'inquiète, c'est qu'on nous oublie], nous les vieux.",
  ],
  [
    'es',
    'Hola, buenas, perdón por el ruido, estoy en el taller. Mire, yo tengo una hija en silla de ruedas. Para entrar al ayuntamiento hay siete escalones. [Lo que pedimos es una rampa], nada más.',
  ],
  [
    'es',
    'Eh, bueno, no sé si esto sirve. Mi abuela cosía en la plaza con las vecinas, y ahora no hay ni una sombra. [Estaría bien plantar unos naranjos].',
  ],
  [
    'es',
    'Buenas tardes a todos. Vamos a ver, yo soy pescador. Desde que construyeron el puerto deportivo no tenemos sitio para las redes. [No puede ser que los yates tengan más derechos que nosotros].',
  ],
  [
    'es',
    'Pues mira, yo estudio enfermería y vuelvo a las once. El paso subterráneo huele fatal y no se ve nada. [Me da pánico pasar por ahí], te lo juro.',
  ],
  [
    'es',
    'Gracias por invitarme, de verdad. Llevo veinte años con la panadería. Ahora quieren peatonalizar la calle, y [yo me opongo], porque mis clientes vienen en coche.',
  ],
  [
    'es',
    'Perdonad, que me lío. A lo que iba. En el instituto hay un psicólogo para mil doscientos alumnos. [Hace falta por lo menos uno más].',
  ],
  [
    'it',
    "Buonasera, scusate, sono un po' emozionata. Allora, io abito al quarto piso e l'ascensore del palazzo comunale, cioè delle case popolari, è fermo da agosto. [Vi prego, aggiustate l'ascensore].",
  ],
  [
    'it',
    'Ehm, sì, dunque. Mio nonno andava al cinema Aurora, mio padre pure. Adesso ci vogliono fare un garage. [A me piange il cuore], davvero.',
  ],
  [
    'it',
    'Ciao, sono Matteo, ho diciassette anni. Suono la batteria, e a casa non posso, i vicini impazziscono. [Ci servirebbe una sala prove], anche piccola.',
  ],
  [
    'it',
    'Guardi, io non ho niente contro nessuno. Però le roulotte nel piazzale, da due mesi, senza acqua, coi bambini. [Bisogna trovare una casa a quelle famiglie].',
  ],
  [
    'it',
    "Buongiorno, chiedo scusa per il ritardo, c'era traffico. Volevo dire una cosa sul fiume. L'anno scorso ci è entrato in cantina, un metro d'acqua. [Ho paura che succeda di nuovo], perché gli argini non li ha toccati nessuno.",
  ],
  [
    'it',
    "Mah, che vi devo dire. Faccio la maestra da trent'anni e i termosifoni sono quelli di allora. I bambini stanno col giubbotto. [Chiediamo soltanto una scuola calda].",
  ],
  [
    'en',
    "Hiya, sorry, I'm a bit out of breath, I ran here. My boy's autistic and the sirens from the fire station set him off every time. I know they've got to do their drills. [Couldn't they do them in the afternoon]?",
  ],
  [
    'en',
    "I'm not one to complain, honestly I'm not. But the smell from the abattoir, it's in the curtains, it's in the bread. [Something's got to be done about that smell].",
  ],
  [
    'en',
    "Well, good morning. I've got two things, but I'll stick to one. My late wife planted the roses on the roundabout. [I'd hate to see them ripped out] for a bigger sign.",
  ],
  [
    'nl',
    'Goedemorgen, mag ik even gaan zitten? Dank u. Ik kom hier al sinds de oorlog zwemmen, in de plas. Nu staat er ineens een hek. [Haal dat hek weg], zou ik zeggen.',
  ],
  [
    'nl',
    'Ik wil vooral niemand beledigen, hè. Maar de nieuwe bussen hebben geen rooster voor mijn scootmobiel, ik kom er niet in. [Er moet een plank bij].',
  ],
  [
    'de',
    'Servus, ja, verzeihen Sie, ich rede gern viel. Also damals, als die Brauerei noch da war, hatten wir Arbeit. Heute pendeln alle nach München. [Wir brauchen wieder Betriebe im Ort].',
  ],
  [
    'fr',
    "Pardon, je cherche mes mots, le français n'est pas ma langue. Mon fils est bon à l'école mais il n'a pas d'ordinateur. [Est-ce que l'école pourrait en prêter un]?",
  ],
  [
    'fr',
    "Oui bonjour, Jocelyne, du salon de coiffure. Je vais pas vous mentir, c'est dur. Depuis les travaux, plus une cliente. [On nous doit une compensation].",
  ],
  [
    'es',
    'Hola, eh, soy Iker. Me han dicho que hable y aquí estoy. Jugamos al rugby en un campo lleno de piedras. [Queremos césped, aunque sea artificial].',
  ],
  [
    'es',
    'Disculpe, señorita, yo ya estoy mayor y se me va la cabeza. El médico ahora atiende por teléfono. [A mí que me vea la cara], por favor.',
  ],
  [
    'it',
    'Salve a tutti, sarò veloce perché ho il forno acceso. Da quando hanno messo il senso unico i fornitori non arrivano più. [Rimettete il doppio senso], vi scongiuro.',
  ],
]

for (const [language, marked] of STATEMENTS) {
  const [, point = ''] = /\[(.+)\]/u.exec(marked) ?? []
  test(`${language}: the first point is the point of a spoken statement: ${point}`, async () => {
    const { points } = await summaryOf(marked.replace(/[[\]]/gu, ''), language)
    assert.ok(points[0]?.text.includes(point), points[0]?.text)
  })
}

const TITLES: readonly [language: string, text: string, title: string][] = [
  [
    'de',
    'Grüß Gott, entschuldigen Sie, ich bin etwas aufgeregt. Der Brunnen soll wieder laufen.',
    'Der Brunnen soll wieder laufen',
  ],
  [
    'it',
    "Buongiorno, chiedo scusa per il ritardo, c'era traffico. Gli argini del fiume vanno alzati.",
    'Gli argini del fiume vanno alzati',
  ],
  [
    'en',
    "It'd be nice if there was somewhere to have a coffee together, you know, without having to buy a three-pound latte.",
    "It'd be nice if there was somewhere to have a coffee together",
  ],
  [
    'nl',
    'De gemeente wil de terrassen om tien uur dicht, en daar ben ik het echt niet mee eens, want dan verdienen wij niks meer.',
    'De gemeente wil de terrassen om tien uur dicht',
  ],
  [
    'de',
    "Moin, ich mach's kurz, der Kutter wartet. Die wollen die Mole sperren wegen der Touristen. Das geht so nicht, wo sollen wir denn anlegen?",
    'Die wollen die Mole sperren wegen der Touristen',
  ],
  [
    'fr',
    "Bon. L'autre jour, au guichet de la poste, la dame me dit : tout est sur Internet maintenant. Ce qui m'inquiète, c'est qu'on nous oublie, nous les vieux.",
    "Ce qui m'inquiète, c'est qu'on nous oublie, nous les vieux",
  ],
  [
    'fr',
    "Bonjour, je m'appelle Odile, j'ai plus de quatre-vingts ans. Il ne faut surtout pas supprimer la navette, c'est le seul moyen que j'ai pour aller au cimetière.",
    'Il ne faut surtout pas supprimer la navette',
  ],
  [
    'es',
    'Verá, yo trabajo de noche en el hospital. Yo pido que la guardería abra una hora antes, que a las ocho todavía no he llegado a casa.',
    'Yo pido que la guardería abra una hora antes',
  ],
  [
    'en',
    "I know I'll sound like a snob. I don't see why the council should pay for loudspeakers that nobody in my street ever asked them for.",
    "I don't see why the council should pay for loudspeakers",
  ],
]
for (const [language, text, title] of TITLES)
  test(`${language}: the title is the point, without what leads up to it: ${title}`, async () => {
    assert.equal((await summaryOf(text, language)).title, title)
  })
