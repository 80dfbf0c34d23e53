import type { LeftOut } from './report-document.ts'

/** The fixed texts of a report in one language. `#` in a pair of singular and plural stands for the number. */
export interface LanguageLabels {
  themes: string
  conversations: string
  conversation: string
  /** Heading of the lines that a published report cites. */
  sources: string
  /** Names a person without a name, with a number. */
  participant: string
  people: readonly [one: string, other: string]
  ofPeople(count: number, of: number): string
  inFavour(count: number): string
  against(count: number): string
  /** In place of a name in a published report. */
  hiddenName: string
  hiddenEmail: string
  hiddenPhone: string
  hiddenAddress: string
  created: string
  extractive: string
  /** Added where the sentences lead to the recordings. */
  extractiveLinks: string
  /** Precedes the dates of the conversations. */
  recorded: string
  generative: string
  /** Instead of `extractive`, and before `generative`, if members have changed the text. */
  edited: string
  erased: string
  /** The link of a published report to its PDF. */
  downloadPdf: string
  /** Headings for statements that belong to no theme: without and with other sections. */
  whatWasSaid: string
  alsoSaid: string
  /** Precedes the numbers of conversations that were left out, by reason. */
  leftOut: string
  leftOutFor: Record<keyof LeftOut, readonly [one: string, other: string]>
  quotes: readonly [open: string, close: string]
  /** Precedes the attribution of a quotation. */
  dash: string
  at: string
  page(number: number, of: number): string
  /** PDF only: the placeholder for characters that its fonts do not have. */
  notInFont: readonly [one: string, other: string]
  notInFontNotice: string
}

export const LANGUAGES: Record<string, LanguageLabels> = {
  en: {
    themes: 'Themes',
    conversations: 'Conversations',
    conversation: 'Conversation',
    sources: 'Sources',
    participant: 'Participant',
    people: ['# person', '# people'],
    ofPeople: (count, of) => `${count} of ${of} ${of === 1 ? 'person' : 'people'}`,
    inFavour: (count) => `${count} in favour`,
    against: (count) => `${count} against`,
    hiddenName: '[name]',
    hiddenEmail: '[e-mail]',
    hiddenPhone: '[phone number]',
    hiddenAddress: '[address]',
    created: 'Created on',
    recorded: 'Recorded',
    extractive:
      'Automatic extract: a program picked the sentences below from the transcripts and did not rewrite them. No one has reviewed the selection.',
    extractiveLinks: 'Each sentence links to the place where it was said.',
    generative:
      'Written by a language model from the transcripts. Check important statements against the sources that they cite.',
    edited:
      'Edited by hand after a program had drafted it. Sentences in quotation marks are as they were said.',
    erased: 'Removed: the conversation was withdrawn.',
    downloadPdf: 'Download PDF',
    whatWasSaid: 'What was said',
    alsoSaid: 'Also said',
    leftOut: 'Left out:',
    leftOutFor: {
      not_finished: ['# not finished yet', '# not finished yet'],
      failed: ['# that could not be transcribed', '# that could not be transcribed'],
      empty: ['# without words', '# without words'],
      erased: ['# withdrawn', '# withdrawn'],
      over_limit: ['# beyond the limit', '# beyond the limit'],
    },
    quotes: ['“', '”'],
    dash: '—',
    at: 'at',
    page: (number, of) => `page ${number} of ${of}`,
    notInFont: ['[# character: see the HTML version]', '[# characters: see the HTML version]'],
    notInFontNotice:
      'The fonts of this PDF lack some characters of the text. Gaps are marked; the HTML version of the report shows these characters.',
  },
  de: {
    themes: 'Themen',
    conversations: 'Gespräche',
    conversation: 'Gespräch',
    sources: 'Quellen',
    participant: 'Person',
    people: ['# Person', '# Personen'],
    ofPeople: (count, of) => `${count} von ${of} ${of === 1 ? 'Person' : 'Personen'}`,
    inFavour: (count) => `${count} dafür`,
    against: (count) => `${count} dagegen`,
    hiddenName: '[Name]',
    hiddenEmail: '[E-Mail]',
    hiddenPhone: '[Telefonnummer]',
    hiddenAddress: '[Adresse]',
    created: 'Erstellt am',
    recorded: 'Aufgezeichnet',
    extractive:
      'Automatischer Auszug: Die folgenden Sätze hat ein Programm aus den Transkripten ausgewählt und nicht umformuliert. Niemand hat die Auswahl geprüft.',
    extractiveLinks: 'Jeder führt zu der Stelle, an der er gesagt wurde.',
    generative:
      'Von einem Sprachmodell aus den Transkripten verfasst. Prüfen Sie Wichtiges an den Stellen, die jede Passage nennt.',
    edited:
      'Von Hand bearbeitet, nachdem ein Programm den Entwurf erstellt hatte. Sätze in Anführungszeichen stehen so da, wie sie gesagt wurden.',
    erased: 'Entfernt: Das Gespräch wurde zurückgezogen.',
    downloadPdf: 'PDF herunterladen',
    whatWasSaid: 'Was gesagt wurde',
    alsoSaid: 'Außerdem gesagt',
    leftOut: 'Nicht berücksichtigt:',
    leftOutFor: {
      not_finished: ['# noch nicht beendet', '# noch nicht beendet'],
      failed: ['# nicht zu verstehen', '# nicht zu verstehen'],
      empty: ['# ohne Worte', '# ohne Worte'],
      erased: ['# zurückgezogen', '# zurückgezogen'],
      over_limit: ['# über der Höchstzahl', '# über der Höchstzahl'],
    },
    quotes: ['„', '“'],
    dash: '–',
    at: 'bei',
    page: (number, of) => `Seite ${number} von ${of}`,
    notInFont: ['[# Zeichen: siehe HTML-Fassung]', '[# Zeichen: siehe HTML-Fassung]'],
    notInFontNotice:
      'Den Schriften dieser PDF-Datei fehlen einige Zeichen des Textes. Ihre Stellen sind markiert; die HTML-Fassung des Berichts zeigt sie.',
  },
  nl: {
    themes: 'Thema’s',
    conversations: 'Gesprekken',
    conversation: 'Gesprek',
    sources: 'Bronnen',
    participant: 'Deelnemer',
    people: ['# persoon', '# personen'],
    ofPeople: (count, of) => `${count} van de ${of} ${of === 1 ? 'persoon' : 'personen'}`,
    inFavour: (count) => `${count} voor`,
    against: (count) => `${count} tegen`,
    hiddenName: '[naam]',
    hiddenEmail: '[e-mail]',
    hiddenPhone: '[telefoonnummer]',
    hiddenAddress: '[adres]',
    created: 'Gemaakt op',
    recorded: 'Opgenomen',
    extractive:
      'Automatisch uittreksel: de zinnen hieronder zijn door een programma uit de transcripten gekozen en niet herschreven. Niemand heeft de keuze nagekeken.',
    extractiveLinks: 'Elke zin leidt naar de plaats waar hij is gezegd.',
    generative:
      'Door een taalmodel geschreven op basis van de transcripten. Controleer wat belangrijk is op de plaatsen die elke passage noemt.',
    edited:
      'Met de hand bewerkt nadat een programma de eerste versie had gemaakt. Zinnen tussen aanhalingstekens staan er zoals ze zijn gezegd.',
    erased: 'Verwijderd: het gesprek is ingetrokken.',
    downloadPdf: 'Pdf downloaden',
    whatWasSaid: 'Wat er is gezegd',
    alsoSaid: 'Ook gezegd',
    leftOut: 'Niet meegenomen:',
    leftOutFor: {
      not_finished: ['# nog niet afgerond', '# nog niet afgerond'],
      failed: ['# niet te verstaan', '# niet te verstaan'],
      empty: ['# zonder woorden', '# zonder woorden'],
      erased: ['# ingetrokken', '# ingetrokken'],
      over_limit: ['# boven het maximum', '# boven het maximum'],
    },
    quotes: ['‘', '’'],
    dash: '–',
    at: 'op',
    page: (number, of) => `pagina ${number} van ${of}`,
    notInFont: ['[# teken: zie de HTML-versie]', '[# tekens: zie de HTML-versie]'],
    notInFontNotice:
      'De lettertypen van deze pdf missen enkele tekens van de tekst. Hun plaatsen zijn gemarkeerd; de HTML-versie van het rapport toont ze.',
  },
  fr: {
    themes: 'Thèmes',
    conversations: 'Conversations',
    conversation: 'Conversation',
    sources: 'Sources',
    participant: 'Participant',
    people: ['# personne', '# personnes'],
    ofPeople: (count, of) => `${count} ${count > 1 ? 'personnes' : 'personne'} sur ${of}`,
    inFavour: (count) => `${count} pour`,
    against: (count) => `${count} contre`,
    hiddenName: '[nom]',
    hiddenEmail: '[e-mail]',
    hiddenPhone: '[téléphone]',
    hiddenAddress: '[adresse]',
    created: 'Établi le',
    recorded: 'Recueilli',
    extractive:
      'Extrait automatique : les phrases ci-dessous ont été choisies par un programme dans les transcriptions, sans être réécrites. Personne n’a relu ce choix.',
    extractiveLinks: 'Chacune mène à l’endroit où elle a été dite.',
    generative:
      'Rédigé par un modèle de langage à partir des transcriptions. Vérifiez ce qui compte aux endroits que chaque passage indique.',
    edited:
      'Texte retravaillé à la main d’après une version préparée par un programme. Les phrases entre guillemets sont telles qu’elles ont été dites.',
    erased: 'Retiré : la conversation a été retirée par son auteur.',
    downloadPdf: 'Télécharger le PDF',
    whatWasSaid: 'Ce qui a été dit',
    alsoSaid: 'Dit aussi',
    leftOut: 'Non prises en compte :',
    leftOutFor: {
      not_finished: ['# pas encore terminée', '# pas encore terminées'],
      failed: ['# inaudible', '# inaudibles'],
      empty: ['# sans paroles', '# sans paroles'],
      erased: ['# retirée', '# retirées'],
      over_limit: ['# au-delà de la limite', '# au-delà de la limite'],
    },
    // French sets a narrow no-break space inside its quotation marks.
    quotes: ['«\u202f', '\u202f»'],
    dash: '—',
    at: 'à',
    page: (number, of) => `page ${number} sur ${of}`,
    notInFont: ['[# caractère : voir la version HTML]', '[# caractères : voir la version HTML]'],
    notInFontNotice:
      'Certains caractères du texte manquent aux polices de ce PDF. Leurs places sont marquées ; la version HTML du rapport les montre.',
  },
  es: {
    themes: 'Temas',
    conversations: 'Conversaciones',
    conversation: 'Conversación',
    sources: 'Fuentes',
    participant: 'Participante',
    people: ['# persona', '# personas'],
    ofPeople: (count, of) => `${count} de ${of} ${of === 1 ? 'persona' : 'personas'}`,
    inFavour: (count) => `${count} a favor`,
    against: (count) => `${count} en contra`,
    hiddenName: '[nombre]',
    hiddenEmail: '[correo]',
    hiddenPhone: '[teléfono]',
    hiddenAddress: '[dirección]',
    created: 'Creado el',
    recorded: 'Grabado',
    extractive:
      'Extracto automático: un programa eligió las frases siguientes de las transcripciones, sin reescribirlas. Nadie ha revisado la selección.',
    extractiveLinks: 'Cada una lleva al lugar donde se dijo.',
    generative:
      'Escrito por un modelo de lenguaje a partir de las transcripciones. Compruebe lo importante en los lugares que indica cada pasaje.',
    edited:
      'Editado a mano a partir de una versión preparada por un programa. Las frases entre comillas son tal como se dijeron.',
    erased: 'Eliminado: la conversación fue retirada.',
    downloadPdf: 'Descargar PDF',
    whatWasSaid: 'Lo que se dijo',
    alsoSaid: 'También se dijo',
    leftOut: 'No incluidas:',
    leftOutFor: {
      not_finished: ['# sin terminar', '# sin terminar'],
      failed: ['# que no se pudo escuchar', '# que no se pudieron escuchar'],
      empty: ['# sin palabras', '# sin palabras'],
      erased: ['# retirada', '# retiradas'],
      over_limit: ['# por encima del límite', '# por encima del límite'],
    },
    quotes: ['«', '»'],
    dash: '—',
    at: 'en',
    page: (number, of) => `página ${number} de ${of}`,
    notInFont: ['[# carácter: véase la versión HTML]', '[# caracteres: véase la versión HTML]'],
    notInFontNotice:
      'A las fuentes de este PDF les faltan algunos caracteres del texto. Sus lugares están marcados; la versión HTML del informe los muestra.',
  },
  it: {
    themes: 'Temi',
    conversations: 'Conversazioni',
    conversation: 'Conversazione',
    sources: 'Fonti',
    participant: 'Partecipante',
    people: ['# persona', '# persone'],
    ofPeople: (count, of) => `${count} ${count === 1 ? 'persona' : 'persone'} su ${of}`,
    inFavour: (count) => `${count} a favore`,
    against: (count) => `${count} contrari`,
    hiddenName: '[nome]',
    hiddenEmail: '[e-mail]',
    hiddenPhone: '[telefono]',
    hiddenAddress: '[indirizzo]',
    created: 'Creato il',
    recorded: 'Registrato',
    extractive:
      'Estratto automatico: le frasi seguenti sono state scelte da un programma nelle trascrizioni, senza riscriverle. Nessuno ha rivisto la scelta.',
    extractiveLinks: 'Ognuna porta al punto in cui è stata detta.',
    generative:
      'Scritto da un modello linguistico a partire dalle trascrizioni. Verificate ciò che conta nei punti indicati da ogni passo.',
    edited:
      'Modificato a mano a partire da una versione preparata da un programma. Le frasi tra virgolette sono riportate come sono state dette.',
    erased: 'Rimosso: la conversazione è stata ritirata.',
    downloadPdf: 'Scarica il PDF',
    whatWasSaid: 'Che cosa è stato detto',
    alsoSaid: 'È stato detto anche',
    leftOut: 'Non considerate:',
    leftOutFor: {
      not_finished: ['# non ancora terminata', '# non ancora terminate'],
      failed: ['# non comprensibile', '# non comprensibili'],
      empty: ['# senza parole', '# senza parole'],
      erased: ['# ritirata', '# ritirate'],
      over_limit: ['# oltre il limite', '# oltre il limite'],
    },
    quotes: ['«', '»'],
    dash: '—',
    at: 'a',
    page: (number, of) => `pagina ${number} di ${of}`,
    notInFont: ['[# carattere: vedi la versione HTML]', '[# caratteri: vedi la versione HTML]'],
    notInFontNotice:
      'Ai caratteri tipografici di questo PDF mancano alcuni segni del testo. I loro posti sono segnati; la versione HTML del rapporto li mostra.',
  },
}
