import type { Story } from './story.ts'

/** Pupils, parents and teachers about a new timetable. Oldest first, two for each day. */
export const SCHOOL: Story[] = [
  {
    language: 'en',
    name: 'Year 10, table 3',
    tags: ['pupils'],
    text: 'We talked about the start at half past eight. Four of us come by bus, and the bus arrives at ten past eight or at eight forty, there is nothing in between. So we are either early in the cold or late with a note. If school started at nine, the second bus would work for everyone. Two of us would not like it, because football training begins at four and it would move to five.',
  },
  {
    language: 'nl',
    name: 'Ouderraad',
    tags: ['parents'],
    text: 'Wij hebben met twaalf ouders gesproken. De meesten vinden later beginnen goed voor de pubers, maar wie om acht uur op het werk moet zijn, heeft een probleem met de jongsten. Opvang vanaf half acht, met ontbijt, zou dat oplossen. Zonder opvang zijn wij tegen. En graag één roosterwijziging per jaar, niet vier.',
  },
  {
    language: 'de',
    name: 'Herr Lindqvist',
    tags: ['teachers'],
    text: 'Ich unterrichte Physik. Doppelstunden sind für Versuche ein Segen: in fünfundvierzig Minuten baue ich auf und wieder ab, und dazwischen klingelt es. In Mathematik ist es umgekehrt, neunzig Minuten am Freitagnachmittag bringen niemandem etwas. Mein Vorschlag: Doppelstunden in den Naturwissenschaften und in Kunst, einzelne Stunden in den Sprachen und in Mathematik.',
  },
  {
    language: 'en',
    name: 'Aoife',
    tags: ['pupils'],
    text: 'Lunch is twenty-five minutes and the queue is fifteen. So you eat in ten minutes or you do not eat. I usually do not eat, and then I cannot think in chemistry. Please make lunch forty-five minutes, even if we go home later. Everyone in my class said yes when I asked them, except Ben, who has a paper round.',
  },
  {
    language: 'fr',
    name: 'Madame Okafor',
    tags: ['parents'],
    text: 'Mon fils est en sixième et il part de la maison à sept heures moins dix. À midi il mange en vingt minutes. Le soir il a deux heures de devoirs. Un enfant de onze ans travaille plus que moi. Je voudrais une vraie pause à midi et moins de devoirs les jours où il y a sept heures de cours.',
  },
  {
    language: 'nl',
    name: 'Klas 4B',
    tags: ['pupils'],
    text: 'Tussenuren zijn het probleem, niet de begintijd. Op dinsdag hebben we er drie. De bibliotheek is dan vol en in de kantine mag je niet werken. Maak één lokaal open om te leren, met iemand erbij, dan zijn de uren niet verloren. En zet toetsen niet allemaal in dezelfde week, we hadden er vijf in november.',
  },
  {
    language: 'es',
    name: 'Familia Romero',
    tags: ['parents'],
    text: 'Tenemos tres hijos en el colegio, con tres horarios distintos. Vamos y venimos cinco veces al día. No pedimos un horario perfecto, pedimos uno solo: que todos entren a la misma hora, a las nueve. Y que nos avisen de los cambios con un mes, no el domingo por la noche.',
  },
  {
    language: 'en',
    name: 'Mr Adeyemi',
    tags: ['teachers'],
    text: 'I teach history and I coordinate year nine. Starting later is supported by the research on sleep, and I see it every morning at half past eight: half of them are not there, even when they are in the room. But a later start must not be paid for with a shorter lunch. If it is a choice, I would give up the fifteen minutes of registration. We could do that online.',
  },
  {
    language: 'de',
    name: 'Klasse 8a',
    tags: ['pupils'],
    text: 'Wir finden den späteren Beginn gut, wenn der Bus passt. Der Bus ist wichtiger als die Uhrzeit. Am besten fragt jemand die Verkehrsbetriebe, bevor der Plan fertig ist. Die Mittagspause ist zu kurz, das sagen alle in der Klasse. Und bitte keine Doppelstunde Mathe am Freitag.',
  },
  {
    language: 'nl',
    name: 'Mevrouw De Wit',
    tags: ['teachers'],
    text: 'Ik geef tekenen en ik werk drie dagen. Met blokuren kan ik eindelijk iets afmaken met een klas: materiaal pakken, werken, opruimen. Dat lukt nu nooit. Wel een waarschuwing: voor wie in deeltijd werkt, maken lange blokken het rooster moeilijker. Vraag ons wanneer we kunnen, voordat het programma draait.',
  },
  {
    language: 'fr',
    name: 'Troisième B',
    tags: ['pupils'],
    text: 'Nous sommes neuf à cette table. Sept veulent commencer à neuf heures, deux veulent garder huit heures et demie parce qu’ils aident leurs parents le soir. Tout le monde est d’accord sur la cantine : vingt-cinq minutes, ce n’est pas assez, on jette la moitié du repas. On voudrait aussi une salle ouverte pendant les heures creuses.',
  },
  {
    language: 'es',
    name: 'Noelia',
    tags: ['pupils'],
    text: 'Vivo lejos y el autobús llega a las ocho y diez. Espero veinte minutos en la puerta porque el colegio está cerrado. Si no se puede cambiar la hora, por lo menos abran la biblioteca a las ocho. Y el comedor: con veinticinco minutos no da tiempo a comer y a ir al baño.',
  },
  {
    language: 'en',
    name: 'Caretaker',
    tags: ['staff'],
    text: 'You asked everyone, so here is mine. I open at a quarter past seven. If you open the library at eight, I can do that, it is one key. If you start at nine, the heating can come on later, and that saves us about an hour of gas every day from October to March. I worked it out: it would pay for the breakfast club.',
  },
]
