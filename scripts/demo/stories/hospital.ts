import type { Story } from './story.ts'

/** Staff of a hospital about their nights. Without names: they were promised that none are asked for. Oldest first. */
export const HOSPITAL: Story[] = [
  {
    language: 'en',
    name: null,
    tags: ['surgery', 'staffing'],
    text: 'Between two and five we are two nurses for thirty-one beds. It works as long as nothing happens. Last week a patient fell in the bathroom, and while both of us were with her, the bell in room nine rang for eleven minutes. He was fine, it was a glass of water. But it could have been anything. A third person on the ward in those three hours would change the night.',
  },
  {
    language: 'nl',
    name: null,
    tags: ['emergency', 'handover'],
    text: 'De overdracht om half acht is het slechtste moment van de dag. Iedereen is moe, de dagdienst druppelt binnen, en de telefoon gaat de hele tijd. Ik vertel hetzelfde verhaal drie keer. Geef ons een kwartier waarin iemand anders de telefoon aanneemt. En één lijst, niet het whiteboard plus het papier plus het systeem.',
  },
  {
    language: 'en',
    name: null,
    tags: ['emergency', 'safety'],
    text: 'I have been a porter here for nineteen years. The lift by radiology stops between floors about once a month, always at night, because that is when they service it. I was in it with a patient on oxygen in February. We had twenty minutes of oxygen left when the door opened. Everyone wrote a report, and the lift still stops. Please repair the lift before you paint the corridors.',
  },
  {
    language: 'de',
    name: null,
    tags: ['intensive', 'rest'],
    text: 'Ich mache seit sechs Jahren Nachtdienst auf der Intensivstation. Der Pausenraum liegt neben dem Kompressor, dort kann niemand schlafen, auch nicht für zwanzig Minuten. Früher gab es eine Liege im alten Archiv, die wurde abgeschafft. Ein ruhiger, dunkler Raum mit zwei Liegen wäre keine Wohltat, sondern Sicherheit: um vier Uhr morgens rechne ich Dosierungen aus.',
  },
  {
    language: 'nl',
    name: null,
    tags: ['surgery', 'food'],
    text: 'Het klinkt klein, maar het eten. Na negen uur is er een automaat met chips en cola. Wij werken tot half acht. Ik neem alles zelf mee, maar de jonge collega’s leven op chocola en om vier uur zie je het aan ze. Een warme maaltijd om één uur, al is het maar soep, dat zou iedereen goed doen.',
  },
  {
    language: 'fr',
    name: null,
    tags: ['maternity', 'staffing'],
    text: 'La nuit, à la maternité, nous sommes une sage-femme et une aide-soignante. Quand deux femmes accouchent en même temps, j’appelle la garde, et la garde met trente-cinq minutes à venir. Je ne demande pas une équipe complète. Je demande que la personne de garde dorme sur place, et non chez elle, de l’autre côté du fleuve.',
  },
  {
    language: 'en',
    name: null,
    tags: ['intensive', 'handover'],
    text: 'I am a doctor in my second year. At night I cover three wards and the phone. What nobody tells you is how lonely the decisions are. There is a consultant I can call, and most of them are kind, but you think four times before you wake someone. If there were a fixed call at one in the morning, every night, with every ward, then asking would be normal.',
  },
  {
    language: 'es',
    name: null,
    tags: ['cleaning', 'safety'],
    text: 'Limpio los quirófanos de diez de la noche a seis de la mañana. Somos tres para once quirófanos. El ascensor se para muchas veces y entonces subimos los carros por la escalera, que pesan cuarenta kilos. Mi compañera se lesionó la espalda en mayo. Lo hemos dicho muchas veces. Necesitamos que arreglen el ascensor y que nos pregunten antes de cambiar los turnos.',
  },
  {
    language: 'pl',
    name: null,
    tags: ['surgery', 'rest'],
    text: 'Pracuję na nocnych zmianach od trzech lat. Najgorsze są cztery noce z rzędu: po trzeciej robię błędy w dokumentacji i muszę wszystko sprawdzać dwa razy. Gdyby można było mieć najwyżej trzy noce i potem dwa dni wolne, czułabym się bezpieczniej, i pacjenci też. Brakuje też cichego pokoju, żeby odpocząć chociaż dwadzieścia minut.',
  },
  {
    language: 'nl',
    name: null,
    tags: ['emergency', 'safety'],
    text: 'Op de spoed hebben we ’s nachts één beveiliger voor het hele ziekenhuis. Als hij bij psychiatrie is, staan wij alleen met een volle wachtkamer. In januari is een collega geslagen. Daarna kwam er een poster over agressie. Ik wil geen poster, ik wil een tweede beveiliger tussen elf en vier, en een knop die echt iemand laat komen.',
  },
  {
    language: 'en',
    name: null,
    tags: ['maternity', 'rest'],
    text: 'What works is the team. I want to say that too, because these surveys only collect what is wrong. On our ward the older nurses watch over the younger ones, and if someone has a bad night, somebody makes tea. What does not work is four nights in a row. After the third one I drove through a red light on my way home. Three nights, then two days off: that is all I ask.',
  },
]
