import { plural } from '../shared/plural.ts'

export const project = {
  open: 'Open voor opnames',
  closed: 'Gesloten voor opnames',
  closedHelp: 'Wie de link opent, ziet dat het project gesloten is.',
  openIt: 'Project openen',
  closeIt: 'Project sluiten',
  share: 'Delen',
  link: 'Opnamelink',
  linkHelp: 'Verstuur de link, of laat de code in de zaal zien.',
  short: 'Korte link, om voor te lezen of op een bord te schrijven',
  kiosk: 'Link voor een gedeelde tablet',
  kioskHelp: 'Na elke opname staat de pagina klaar voor de volgende persoon.',
  openLink: 'Opnamepagina openen',
  qr: 'QR-code van de opnamelink',
  downloadSvg: 'SVG downloaden',
  downloadPng: 'PNG downloaden',
  printSheet: 'Poster',
  latest: 'Nieuwste gesprekken',
  all: 'Alle gesprekken',
  figures: {
    title: 'Activiteit',
    conversations: 'Gesprekken',
    hours: 'Opgenomen',
    participants: 'Mensen',
    participantsHelp: 'Verschillende namen; elk gesprek zonder naam telt als één persoon.',
    today: 'Vandaag afgerond',
    recording: (count: number) => plural(count, 'opname loopt', 'opnames lopen'),
    processing: (count: number) => `${count.toLocaleString('nl')} in verwerking`,
    failed: (count: number) => `${count.toLocaleString('nl')} mislukt`,
    perDay: 'Gesprekken per dag',
    day: (date: string, count: number, length: string) =>
      `${date}: ${plural(count, 'gesprek', 'gesprekken')}, ${length}`,
    chart: (count: number, days: number) =>
      `${plural(count, 'gesprek', 'gesprekken')} in de laatste ${days} dagen`,
    upTo: (count: number) => `tot ${count.toLocaleString('nl')} per dag`,
    now: 'vandaag',
    none: 'Niets in de laatste 30 dagen. Deel de link, dan zie je hier elke dag wat erbij komt.',
  },
}

export const poster = {
  title: 'Poster',
  help: 'Eén pagina voor aan de muur of op tafel. Zet de regels in de taal van je gasten; ze worden niet opgeslagen.',
  first: 'Eerste regel',
  second: 'Tweede regel',
  firstLine: 'Scan de code met de camera van uw telefoon, of typ het adres in.',
  secondLine: 'U kunt zo lang praten als u wilt. U hebt geen app en geen account nodig.',
  print: 'Afdrukken',
}
