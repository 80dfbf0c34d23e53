import type { DocumentQuotation, DocumentSection, ReportDocument, Source } from '../report-document.ts'

const conversationId = (number: number): string =>
  `0199c0de-0000-7000-8000-${String(number).padStart(12, '0')}`
const urlOf = (number: number): string => `https://parley.example/conversations/${conversationId(number)}`

export const sourceOf = (number: number, seconds: number | null): Source => ({
  conversation_id: conversationId(number),
  start_ms: seconds === null ? null : seconds * 1000 + 420,
  url: urlOf(number),
})

const PEOPLE = [
  'Frau Özdemir',
  'Jürgen Kaltenbrunner',
  null,
  'Aoife Ní Bhriain',
  'Νίκος Παπαδόπουλος',
  'Олена',
  'سلمى',
]
const PLACES = [
  'Quartierstreff Nord',
  'Marktplatz, am Brunnen',
  null,
  'Library steps',
  'Seniorenclub „Goldener Herbst“',
  'Hafenkante',
  'مقهى الجسر',
]

const SAID = [
  'Wenn der Bus abends nur noch stündlich fährt, dann fahre ich eben mit dem Auto, obwohl ich das gar nicht will.',
  'I have lived on this street for thirty years and no one has ever asked me what I think about the square. You are the first.',
  'Man hat uns eine Geschwindigkeitsbegrenzungsüberwachungsanlage versprochen; gekommen ist ein Schild.',
  'The benches were taken away because somebody slept on them. Now my mother cannot walk to the shop any more, because there is nowhere to sit down on the way.',
  'Für die Kinder gibt es nichts.',
  'Η πλατεία ήταν πάντα το κέντρο της γειτονιάς.',
  'Нам потрібне місце, де можна просто посидіти без того, щоб щось купувати.',
  'نحن بحاجة إلى مكان آمن للأطفال (وخصوصًا بعد الساعة 18:00) قرب شارع Hafenstraße.',
  'אנחנו רוצים יותר עצים ופחות חניה.',
  'Das war toll 🎉 und 我们都很喜欢 die Musik.',
]

const quotation = (at: number): DocumentQuotation => ({
  text: SAID[at % SAID.length] ?? '',
  source: sourceOf((at % PEOPLE.length) + 1, at % 9 === 8 ? null : 37 + at * 211),
})

const PARAGRAPHS = [
  'Die meisten Befragten wünschen sich einen Platz, auf dem man sich aufhalten kann, ohne etwas kaufen zu müssen. Genannt werden vor allem Bänke mit Lehne, ein Trinkbrunnen und Schatten im Sommer. Mehrere ältere Menschen sagen, dass sie Wege nicht mehr gehen, seit die Bänke an der Lindenallee entfernt wurden.',
  'Beim Verkehr gehen die Meinungen auseinander. Wer im Viertel wohnt, möchte den Durchgangsverkehr los sein; wer hier arbeitet, fürchtet um die Lieferzone. Einig ist man sich darin, dass die Querung an der Schule gefährlich ist.',
  'Several people who work shifts point out that the night bus ends before their shift does. They do not ask for more buses in general, but for two at the right time.',
  'Ein Vorschlag, der in vier Gesprächen unabhängig voneinander auftauchte: den alten Pavillon nicht abzureißen, sondern als überdachten Treffpunkt zu öffnen, mit einer Toilette, die auch am Sonntag benutzbar ist.',
]

const HEADINGS = [
  'Aufenthalt auf dem Platz',
  'Verkehr und sichere Wege zur Schule',
  'Working at night: what the timetable forgets',
  'Der Pavillon',
  'Grün, Schatten und Wasser – was im Sommer fehlt, was die Menschen sich wünschen und was sie dafür selbst zu tun bereit wären',
  'Wie es weitergehen soll',
]

const section = (heading: string, at: number): DocumentSection => ({
  heading,
  paragraphs: [
    { text: PARAGRAPHS[at % 4] ?? '', sources: [sourceOf(1, 42), sourceOf(4, 725 + at), sourceOf(2, 3800)] },
    { text: PARAGRAPHS[(at + 1) % 4] ?? '', sources: [sourceOf((at % 7) + 1, 12)] },
    ...(at === 1 ? [{ erased: true } as const] : []),
    { text: PARAGRAPHS[(at + 2) % 4] ?? '', sources: [] },
  ],
  quotations: [
    ...Array.from({ length: 5 }, (_, nth) => quotation(at * 5 + nth)),
    ...(at === 2 ? [{ erased: true } as const] : []),
  ],
})

/** A report as it may come out of a town's listening project: two languages, several scripts, 30 quotations. */
export const sampleReport = (changes: Partial<ReportDocument> = {}): ReportDocument => ({
  id: '0199c0de-0000-7000-8000-00000000abcd',
  title: 'Was der Lindenplatz werden kann',
  language: 'de',
  created_at: '2026-11-14T09:30:00.000Z',
  method: 'extractive',
  conversation_count: PEOPLE.length,
  project_name: 'Zuhören im Quartier Nord',
  introduction:
    'Zwischen September und November haben sieben Gruppen und Einzelne erzählt, was sie auf dem Lindenplatz tun, was sie dort vermissen und was sie fürchten.\n\nDieser Bericht ordnet, was gesagt wurde. Er wertet nicht, und er ersetzt kein Gespräch.',
  sections: HEADINGS.map(section),
  conversations: PEOPLE.map((participant, at) => ({
    id: conversationId(at + 1),
    title: PLACES[at] ?? null,
    participant,
    started_at: `2026-1${at % 2}-0${at + 1}T16:00:00.000Z`,
    url: urlOf(at + 1),
  })),
  ...changes,
})

/** As readers of a published report get it: its sources carry their text instead of an address. */
export function publishedReport(): ReportDocument {
  const report = sampleReport()
  const hidden = (source: Source): Source => ({ ...source, url: null, text: 'Said here.' })
  return {
    ...report,
    sections: report.sections.map((section) => ({
      ...section,
      paragraphs: section.paragraphs.map((one) =>
        'erased' in one ? one : { ...one, sources: one.sources.map(hidden) },
      ),
      quotations: section.quotations.map((one) =>
        'erased' in one ? one : { ...one, source: hidden(one.source) },
      ),
    })),
    conversations: report.conversations.map((one) => ({ ...one, url: null })),
  }
}
