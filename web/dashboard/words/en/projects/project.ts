import { plural } from '../shared/plural.ts'

export const project = {
  open: 'People can record',
  closed: 'Recording is closed',
  closedHelp: 'The link says that the project is closed.',
  openIt: 'Open the project',
  closeIt: 'Close the project',
  share: 'Share',
  link: 'Recording link',
  linkHelp: 'Send it, or show the code in the room.',
  short: 'Short link, to read out or write on a board',
  kiosk: 'Link for a shared tablet',
  kioskHelp: 'After each recording the page is ready for the next person.',
  openLink: 'Open the recording page',
  qr: 'QR code of the recording link',
  downloadSvg: 'Download SVG',
  downloadPng: 'Download PNG',
  printSheet: 'Print sheet',
  latest: 'Latest conversations',
  all: 'All conversations',
  figures: {
    title: 'Activity',
    conversations: 'Conversations',
    hours: 'Recorded',
    participants: 'People',
    participantsHelp: 'Different names; each conversation without a name counts as one.',
    today: 'Finished today',
    recording: (count: number) => `${count.toLocaleString('en')} recording now`,
    processing: (count: number) => `${count.toLocaleString('en')} in progress`,
    failed: (count: number) => `${count.toLocaleString('en')} failed`,
    perDay: 'Conversations per day',
    day: (date: string, count: number, length: string) =>
      `${date}: ${plural(count, 'conversation', 'conversations')}, ${length}`,
    chart: (count: number, days: number) =>
      `${plural(count, 'conversation', 'conversations')} in the last ${days} days`,
    upTo: (count: number) => `up to ${count.toLocaleString('en')} a day`,
    now: 'today',
    none: 'Nothing in the last 30 days. Share the link, and the days fill up here.',
  },
}

export const poster = {
  title: 'Print sheet',
  help: 'One page for a wall or a table. Change the lines to the language of your guests. Your changes are not saved.',
  first: 'First line',
  second: 'Second line',
  firstLine: 'Scan the code with the camera of your phone, or type the address.',
  secondLine: 'You can speak as long as you want. No app and no account needed.',
  print: 'Print',
}
