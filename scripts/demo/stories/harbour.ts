import type { Story } from './story.ts'

/** Residents about the old harbour: a park, and a market in the evening. Oldest first, three for each evening. */
export const HARBOUR: Story[] = [
  {
    language: 'en',
    name: 'Priya',
    tags: ['market', 'noise'],
    text: 'I live on the second floor above the quay, so I am the person who gets the generators. I like the market, I really do, we eat there twice a week. But the fish stall runs a diesel generator until half past eleven, and my daughter has to get up at six. If the city put in power points along the quay wall, the noise would be gone and nobody would lose anything. And please close at ten on weekdays.',
  },
  {
    language: 'nl',
    name: 'Joost',
    tags: ['park'],
    text: 'Ik woon al eenendertig jaar aan de Kadestraat. Vroeger lagen hier schepen, nu ligt er asfalt. Wat ik graag zou willen is schaduw. In juli is het op het plein veertig graden, dan zit er niemand. Plant grote bomen, geen sprietjes in potten. Platanen, zoals bij de sluis. En laat de oude kraan staan, die hoort bij de haven.',
  },
  {
    language: 'de',
    name: 'Annegret',
    tags: ['market', 'access'],
    text: 'Ich komme mit dem Rollator vom Seniorenhaus herüber. Das Kopfsteinpflaster am Kai ist für mich eine Katastrophe, ich bin im März dort gestürzt. Der Markt selbst ist wunderbar, die Leute sind freundlich, und es gibt endlich wieder Brot nach acht Uhr. Ein glatter Streifen von zwei Metern Breite würde schon reichen. Und Bänke, bitte mit Armlehnen, sonst komme ich nicht mehr hoch.',
  },
  {
    language: 'en',
    name: 'Dele',
    tags: ['market', 'trade'],
    text: 'I have had the suya stall since the first evening. The permit costs me the same for a wet Tuesday in November as for a Saturday in June, and on the wet Tuesdays I earn maybe forty euros. A permit by the evening would be fairer. The other thing is water. There is one tap for twenty-six stalls, and it is behind the toilets. We all queue there at ten with our pans.',
  },
  {
    language: 'es',
    name: 'Lucía',
    tags: ['park', 'children'],
    text: 'Vengo casi todas las tardes con mis dos hijos. Lo que falta es un sitio donde puedan correr sin que yo tenga miedo del agua. La valla del muelle es baja y tiene huecos. Con una valla segura y un poco de césped ya sería otro lugar. También me gustaría una fuente para beber, porque ahora tengo que comprar agua en el mercado.',
  },
  {
    language: 'nl',
    name: 'Fatima',
    tags: ['market', 'children'],
    text: 'De avondmarkt is voor ons gezin het uitje van de week. Mijn man werkt tot zeven uur, dus overdag boodschappen doen samen lukt niet. Wat ik mis is een plek om te zitten en te eten met de kinderen. Nu zitten we op de kademuur met een bakje op schoot. Een paar lange tafels, dat zou zoveel schelen. En meer prullenbakken, want na negen uur waait alles het water in.',
  },
  {
    language: 'fr',
    name: 'Mathilde',
    tags: ['noise'],
    text: 'Je suis infirmière et je travaille de nuit. Quand je dors le soir avant ma garde, la musique du marché entre dans ma chambre, même fenêtre fermée. Je ne demande pas de supprimer le marché, il fait vivre le quartier. Je demande que les haut-parleurs soient tournés vers l’eau et non vers les maisons, et que la musique s’arrête à vingt-deux heures.',
  },
  {
    language: 'pl',
    name: 'Zofia',
    tags: ['park', 'access'],
    text: 'Mieszkam tu od ośmiu lat i spaceruję z psem nad wodą każdego ranka. W parku najbardziej potrzebne są lampy. Zimą o szóstej rano jest zupełnie ciemno i wiele kobiet omija nabrzeże, ja też. Chciałabym ciepłe, niskie światło wzdłuż ścieżki, nie reflektory. I więcej drzew, bo latem kamień bardzo się nagrzewa.',
  },
  {
    language: 'en',
    name: 'Callum',
    tags: ['park', 'trade'],
    text: 'I repair bicycles in the old customs house. Everyone talks about trees and I agree about the trees, but look at the quay on a Saturday. There are three hundred bikes and eleven racks. People lock them to the railings, and then the wheelchair users cannot get past. Put the racks at both ends, not in the middle, and the whole place opens up. I would happily look after them.',
  },
  {
    language: 'nl',
    name: 'Wim',
    tags: ['market', 'noise'],
    text: 'Ik ben niet tegen de markt, dat wil ik eerst zeggen. Maar de vrachtwagens komen om vier uur ’s middags en draaien in onze straat, achteruit, met dat gepiep. Waarom kunnen ze niet over de Sluisweg komen, daar woont niemand? Als dat geregeld is, hoor je mij niet meer. De muziek vind ik eigenlijk wel gezellig.',
  },
  {
    language: 'de',
    name: null,
    tags: ['park'],
    text: 'Mir ist das Wasser wichtig. Seit zwei Jahren riecht das Hafenbecken im August nach faulen Eiern, und es treiben tote Fische darin. Ein Park an einem stinkenden Becken hilft niemandem. Zuerst muss das Wasser wieder fließen, zum Beispiel durch das alte Schleusentor. Danach kommen die Leute von selbst, auch ohne Springbrunnen.',
  },
  {
    language: 'es',
    name: 'Andrés',
    tags: ['market', 'trade'],
    text: 'Trabajo en el puesto de arepas con mi hermana. Empezamos sin nada, y hoy vivimos del mercado. Nos preocupa que hagan un mercado elegante y caro y que nos echen. Por favor, reserven una parte de los puestos para la gente del barrio, con un precio que se pueda pagar. Y el agua: un solo grifo para todos no es suficiente.',
  },
  {
    language: 'en',
    name: 'Marguerite',
    tags: ['access', 'park'],
    text: 'I am blind and I use a cane. The quay has no edge that I can feel before the water, none. A friend walks with me, otherwise I do not go. Tactile paving along the edge is not expensive and it would give me the harbour back. Also, the cable covers that the stalls put across the path are a trap. I have fallen over them twice, and the second time I broke my wrist.',
  },
  {
    language: 'nl',
    name: 'Sanne',
    tags: ['park', 'children'],
    text: 'Ik ben achttien en er is hier na acht uur niks voor ons. We hangen bij de kraan en dan komt de politie, terwijl we alleen maar praten. Een overdekte plek met een paar stopcontacten en licht, meer hoeft het niet te zijn. Laat ons meedenken, wij zitten er elke avond. En een basketbalveldje zou fantastisch zijn.',
  },
  {
    language: 'fr',
    name: 'Baptiste',
    tags: ['market'],
    text: 'Pour moi le marché du soir est une réussite. Je finis mon travail à dix-neuf heures trente et je peux enfin acheter des légumes frais. Il manque seulement des sanitaires propres : il y en a deux pour mille personnes, et à vingt et une heures ils sont fermés. Avec des toilettes et quelques tables, ce serait parfait.',
  },
  {
    language: 'en',
    name: 'Tomasz and Ewa',
    tags: ['park', 'noise'],
    text: 'We moved here because it was quiet, and we knew about the plans, so we cannot complain too much. What we ask for is one quiet evening. If the market rests on Sunday and Monday, we can plan our week. And plant the trees between the houses and the stalls, not along the water. Trees swallow a lot of sound, and they would give the stalls shade as well.',
  },
  {
    language: 'nl',
    name: 'Ibrahim',
    tags: ['market', 'trade'],
    text: 'Ik verkoop olijven en noten. Mijn klanten vragen elke week waar ze kunnen parkeren, en ik moet zeggen: nergens. Een parkeerplaats hoeft niet op de kade, maar een busje vanaf het station om het kwartier zou genoeg zijn. De stroomkasten zijn te zwak, als het koud is valt bij drie kramen het licht uit. Daar moet echt iets aan gebeuren voor de winter.',
  },
  {
    language: 'pl',
    name: 'Marek',
    tags: ['market', 'trade'],
    text: 'Sprzedaję pierogi od dwóch lat. Najtrudniejsza jest woda: jeden kran na wszystkich, a wieczorem kolejka na pół godziny. Drugi problem to prąd, bo agregaty hałasują i ludzie z domów słusznie się skarżą. Gdyby miasto położyło kable wzdłuż nabrzeża, byłoby ciszej i taniej. Chętnie zapłacę trochę więcej za stanowisko z prądem.',
  },
  {
    language: 'de',
    name: 'Familie Brandt',
    tags: ['children', 'market'],
    text: 'Unsere Kinder sind vier und sieben. Am Kai lassen wir sie nicht von der Hand, weil das Geländer nur bis zur Hüfte reicht und unten offen ist. Ein Spielplatz hinter der alten Kranbahn, mit Blick auf den Markt, wäre ideal: wir könnten essen, und die Kinder könnten klettern. Und bitte ein Wasserspender, im Sommer kaufen wir jedes Mal vier Flaschen.',
  },
  {
    language: 'en',
    name: 'Ruth',
    tags: ['market', 'noise'],
    text: 'My husband has dementia, and the evening market is the one thing that he still looks forward to. He knows the cheese man by name. So when my neighbours say close it, I say please, not that. Let the generators go, let the music stop at ten, I understand all of it. But there should be a place to sit every fifty metres. We have to turn back half way because he cannot rest.',
  },
  {
    language: 'es',
    name: 'Inés',
    tags: ['park', 'access'],
    text: 'Uso silla de ruedas. Para llegar al mercado tengo que dar la vuelta por la calle de la Aduana, porque en el muelle hay tres escalones y ninguna rampa. Son tres escalones, nada más. Una rampa costaría menos que las luces de Navidad. Y cuando planten los árboles, dejen un paso de dos metros, por favor, no solo uno.',
  },
]
