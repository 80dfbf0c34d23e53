/** What one language says in a report. `#` in a pair of singular and plural is the number. */
export interface LanguageWords {
  contents: string
  conversations: string
  conversation: string
  basedOn: readonly [one: string, other: string]
  created: string
  extractive: string
  generative: string
  erased: string
  quotes: readonly [open: string, close: string]
  /** Before whom a quotation is from. */
  dash: string
  at: string
  page(number: number, of: number): string
  /** In the PDF alone: stands for characters that its fonts lack. */
  notInFont: readonly [one: string, other: string]
  notInFontNotice: string
}

export const LANGUAGES: Record<string, LanguageWords> = {
  en: {
    contents: 'Contents',
    conversations: 'Conversations',
    conversation: 'Conversation',
    basedOn: ['Based on # conversation', 'Based on # conversations'],
    created: 'Created on',
    extractive:
      'Automatic extract: the sentences below were picked from the transcripts by a program and not rewritten. Each leads to the place where it was said.',
    generative:
      'Written by a language model from the transcripts. Check what matters against the places that each passage names.',
    erased: 'Removed: the conversation was withdrawn.',
    quotes: ['“', '”'],
    dash: '—',
    at: 'at',
    page: (number, of) => `page ${number} of ${of}`,
    notInFont: ['[# character: see the HTML version]', '[# characters: see the HTML version]'],
    notInFontNotice:
      'The fonts of this PDF lack some characters of the text. Their places are marked; the HTML version of the report shows them.',
  },
  de: {
    contents: 'Inhalt',
    conversations: 'Gespräche',
    conversation: 'Gespräch',
    basedOn: ['Auf der Grundlage von # Gespräch', 'Auf der Grundlage von # Gesprächen'],
    created: 'Erstellt am',
    extractive:
      'Automatischer Auszug: Die folgenden Sätze hat ein Programm aus den Mitschriften ausgewählt und nicht umformuliert. Jeder führt zu der Stelle, an der er gesagt wurde.',
    generative:
      'Von einem Sprachmodell aus den Mitschriften verfasst. Prüfen Sie Wichtiges an den Stellen, die jede Passage nennt.',
    erased: 'Entfernt: Das Gespräch wurde zurückgezogen.',
    quotes: ['„', '“'],
    dash: '–',
    at: 'bei',
    page: (number, of) => `Seite ${number} von ${of}`,
    notInFont: ['[# Zeichen: siehe HTML-Fassung]', '[# Zeichen: siehe HTML-Fassung]'],
    notInFontNotice:
      'Den Schriften dieser PDF-Datei fehlen einige Zeichen des Textes. Ihre Stellen sind markiert; die HTML-Fassung des Berichts zeigt sie.',
  },
  nl: {
    contents: 'Inhoud',
    conversations: 'Gesprekken',
    conversation: 'Gesprek',
    basedOn: ['Gebaseerd op # gesprek', 'Gebaseerd op # gesprekken'],
    created: 'Gemaakt op',
    extractive:
      'Automatisch uittreksel: de zinnen hieronder zijn door een programma uit de transcripten gekozen en niet herschreven. Elke zin leidt naar de plaats waar hij is gezegd.',
    generative:
      'Door een taalmodel geschreven op basis van de transcripten. Controleer wat belangrijk is op de plaatsen die elke passage noemt.',
    erased: 'Verwijderd: het gesprek is ingetrokken.',
    quotes: ['‘', '’'],
    dash: '–',
    at: 'op',
    page: (number, of) => `pagina ${number} van ${of}`,
    notInFont: ['[# teken: zie de HTML-versie]', '[# tekens: zie de HTML-versie]'],
    notInFontNotice:
      'De lettertypen van deze pdf missen enkele tekens van de tekst. Hun plaatsen zijn gemarkeerd; de HTML-versie van het rapport toont ze.',
  },
  fr: {
    contents: 'Sommaire',
    conversations: 'Conversations',
    conversation: 'Conversation',
    basedOn: ['À partir de # conversation', 'À partir de # conversations'],
    created: 'Établi le',
    extractive:
      'Extrait automatique : les phrases ci-dessous ont été choisies par un programme dans les transcriptions, sans être réécrites. Chacune mène à l’endroit où elle a été dite.',
    generative:
      'Rédigé par un modèle de langage à partir des transcriptions. Vérifiez ce qui compte aux endroits que chaque passage indique.',
    erased: 'Retiré : la conversation a été retirée par son auteur.',
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
    contents: 'Índice',
    conversations: 'Conversaciones',
    conversation: 'Conversación',
    basedOn: ['A partir de # conversación', 'A partir de # conversaciones'],
    created: 'Creado el',
    extractive:
      'Extracto automático: un programa eligió las frases siguientes de las transcripciones, sin reescribirlas. Cada una lleva al lugar donde se dijo.',
    generative:
      'Escrito por un modelo de lenguaje a partir de las transcripciones. Compruebe lo importante en los lugares que indica cada pasaje.',
    erased: 'Eliminado: la conversación fue retirada.',
    quotes: ['«', '»'],
    dash: '—',
    at: 'en',
    page: (number, of) => `página ${number} de ${of}`,
    notInFont: ['[# carácter: véase la versión HTML]', '[# caracteres: véase la versión HTML]'],
    notInFontNotice:
      'A las fuentes de este PDF les faltan algunos caracteres del texto. Sus lugares están marcados; la versión HTML del informe los muestra.',
  },
  it: {
    contents: 'Indice',
    conversations: 'Conversazioni',
    conversation: 'Conversazione',
    basedOn: ['Sulla base di # conversazione', 'Sulla base di # conversazioni'],
    created: 'Creato il',
    extractive:
      'Estratto automatico: le frasi seguenti sono state scelte da un programma nelle trascrizioni, senza riscriverle. Ognuna porta al punto in cui è stata detta.',
    generative:
      'Scritto da un modello linguistico a partire dalle trascrizioni. Verificate ciò che conta nei punti indicati da ogni passo.',
    erased: 'Rimosso: la conversazione è stata ritirata.',
    quotes: ['«', '»'],
    dash: '—',
    at: 'a',
    page: (number, of) => `pagina ${number} di ${of}`,
    notInFont: ['[# carattere: vedi la versione HTML]', '[# caratteri: vedi la versione HTML]'],
    notInFontNotice:
      'Ai caratteri tipografici di questo PDF mancano alcuni segni del testo. I loro posti sono segnati; la versione HTML del rapporto li mostra.',
  },
}
