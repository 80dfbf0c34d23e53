import { plural } from '../shared/plural.ts'

const conversations = (count: number) => plural(count, 'gesprek', 'gesprekken')
const dayCount = (count: number) => plural(count, 'dag', 'dagen')

export const projectSettings = {
  title: 'Instellingen',
  /** Names of fields, as in lists of changes. */
  fields: {
    name: 'Naam',
    title: 'Kop',
    description: 'Inleiding',
    finish_text: 'Bedankje',
    privacy_url: 'Privacyverklaring',
    accent_color: 'Kleur',
    logo: 'Logo',
    ask_name: 'Naam vragen',
    ask_email: 'E-mailadres vragen',
    tags: 'Tags',
    language: 'Taal',
    languages: 'Andere talen',
    hotwords: 'Namen en termen',
    consent_text: 'Toestemmingstekst',
    retention_days: 'Bewaartermijn',
    is_open: 'Open of gesloten',
  },
  sections: {
    texts: 'Teksten',
    look: 'Vormgeving',
    questions: 'Vragen',
    languages: 'Talen',
    consent: 'Toestemming',
    retention: 'Bewaartermijn',
  },
  help: {
    name: 'Staat in het dashboard en in payloads. Zonder kop zien deelnemers deze naam.',
    title: 'De grote regel op de opnamepagina',
    description: 'Wat je vraagt, en waarom. Een lege regel begint een nieuwe alinea.',
    finish_text: 'Deelnemers zien dit als hun opname is ontvangen',
    privacy_url: 'Een https-adres',
    accent_color: 'Voor knoppen en links op de opnamepagina',
    tags: 'Deelnemers kiezen hieruit, bijvoorbeeld plaatsen of rollen. Druk na elke tag op Enter.',
    language: 'Wat mensen waarschijnlijk spreken. Dat maakt de transcripten beter.',
    languages: 'Deze talen kunnen deelnemers ook kiezen.',
    hotwords:
      'Hoe je de namen van mensen, straten en projecten schrijft. Dat helpt de transcriptie. Druk na elk woord op Enter.',
    consent_text:
      'Voor het opnemen zetten deelnemers hieronder een vinkje. Leeg: er wordt geen toestemming gevraagd.',
  },
  nameNeeded: 'Een project heeft een naam nodig.',
  detect: 'Per gesprek herkennen',
  optional: 'Antwoorden is nooit verplicht.',
  color: {
    pick: 'Kies een kleur',
    clear: 'Standaardkleur',
    invalid: 'Zes cijfers of letters van a tot en met f na #, bijvoorbeeld #0b57d0',
    contrast: (ratio: string) => `Contrast met wit ${ratio} : 1`,
    fine: 'Goed zichtbaar op de pagina.',
    pale: 'Te licht: knoppen zijn dan slecht te zien. Minstens 3 : 1 is nodig; kies een donkerdere kleur.',
  },
  logo: {
    none: 'Zonder logo toont de pagina de naam van de organisatie.',
    help: (max: string) => `PNG of JPEG, hoogstens ${max}. Wordt meteen opgeslagen.`,
    choose: 'Kies een afbeelding',
    replace: 'Vervangen',
    remove: 'Verwijderen',
    alt: 'Logo van de opnamepagina',
  },
  consent: {
    history: 'Geschiedenis',
    historyHelp:
      'Elke deelnemer gaf toestemming voor de tekst van die dag. Oude teksten blijven bewaard zolang het project bestaat.',
    none: 'Er was nog geen toestemmingstekst.',
    current: 'In gebruik',
    agreed: (count: number) =>
      count === 0
        ? 'Nog niemand ging akkoord'
        : `${plural(count, 'deelnemer ging', 'deelnemers gingen')} akkoord`,
    from: (time: string) => `Vanaf ${time}`,
    useAgain: 'Opnieuw gebruiken',
    show: 'Hele tekst tonen',
    hide: 'Minder tonen',
  },
  retention: {
    isOn: 'Gesprekken automatisch wissen',
    days: 'Dagen na het einde van een gesprek',
    off: 'Gesprekken blijven tot iemand ze verwijdert.',
    what: 'Gewist worden de opname, het transcript, de samenvatting en de citaten in rapporten.',
    today: (date: string) => `Een gesprek dat vandaag eindigt, wordt gewist op ${date}.`,
    next: (date: string) => `Het oudste gesprek dat er nog is, wordt gewist op ${date}.`,
    expired: (count: number, days: number) =>
      `${plural(count, 'gesprek is', 'gesprekken zijn')} meer dan ${dayCount(days)} geleden geëindigd en ${count === 1 ? 'wordt' : 'worden'} kort na het opslaan gewist.`,
    confirmTitle: (count: number) => `${conversations(count)} wissen?`,
    confirmText: (count: number, days: number) =>
      `Met een bewaartermijn van ${dayCount(days)} ${count === 1 ? 'wordt' : 'worden'} binnen enkele minuten ${conversations(count)} gewist. Je kunt dit niet terugdraaien.`,
    confirm: 'Opslaan en wissen',
  },
  unsaved: (count: number) => plural(count, 'wijziging niet opgeslagen', 'wijzigingen niet opgeslagen'),
  restored: 'Deze wijzigingen zijn van je vorige bezoek. Ze zijn nog niet opgeslagen.',
  discard: 'Niet opslaan',
  saved: 'Opgeslagen',
  savedBeside: (who: string, fields: string) =>
    `Opgeslagen. Intussen heeft ${who} dit gewijzigd: ${fields}. Dat blijft zo.`,
  someone: 'iemand anders',
  staff: 'het serviceteam',
  conflict: {
    title: 'Iemand anders heeft dezelfde instellingen gewijzigd',
    help: 'Er wordt niets overschreven. Kies wat moet blijven en sla dan op.',
    by: (who: string, time: string) => `Gewijzigd door ${who}, ${time}`,
    theirs: 'Van de ander',
    mine: 'Van jou',
    empty: 'leeg',
    yes: 'Ja',
    no: 'Nee',
    save: 'Keuze opslaan',
  },
  leave: {
    title: 'Weggaan zonder op te slaan?',
    text: (fields: string) => `Nog niet opgeslagen: ${fields}.`,
    stay: 'Blijven',
    discard: 'Weggaan',
  },
  preview: {
    title: 'Voorbeeld',
    help: 'Zo zien deelnemers het, met jouw wijzigingen. Hier wordt niets opgenomen.',
    show: 'Tonen',
    hide: 'Verbergen',
    screen: 'Scherm',
    steps: {
      welcome: 'Start',
      consent: 'Toestemming',
      about: 'Vragen',
      recording: 'Opname',
      thanks: 'Bedankje',
      closed: 'Gesloten',
    },
  },
  changedBy: (time: string, who: string, fields: string) => `Laatste wijziging ${time} · ${who}: ${fields}`,
  readOnly:
    'Met jouw rol kun je deze instellingen alleen lezen. Vraag een lid van de werkruimte om ze te wijzigen.',
  remove: 'Dit project verwijderen',
  removeHelp: 'Dit wordt gewist en is niet terug te halen:',
  erased: (counts: { conversations: number; reports: number; webhooks: number; hours: string }) => [
    `${conversations(counts.conversations)}, met ${counts.hours} aan opnames, transcripten en samenvattingen`,
    `${plural(counts.reports, 'rapport', 'rapporten')}, ook de gepubliceerde pagina`,
    `${plural(counts.webhooks, 'webhook', 'webhooks')}, met de inhoud van hun bezorgingen`,
    'de opnamepagina met het logo; de gedrukte link en QR-code werken daarna nooit meer',
    'de toestemmingsteksten en hun geschiedenis',
  ],
  kept: 'In het auditlog van de organisatie blijft staan dat jij het project hebt verwijderd.',
}
