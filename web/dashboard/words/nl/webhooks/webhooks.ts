import { plural } from '../shared/plural.ts'

const deliveries = (count: number) => plural(count, 'bezorging', 'bezorgingen')

export const webhooks = {
  title: 'Webhooks',
  allEvents: 'Alle events en hun velden',
  intro: 'Als er in dit project iets gebeurt, stuurt Parley een ondertekend verzoek naar jouw adres.',
  none: 'Nog geen webhooks',
  noneHelp: 'Voeg het adres van je systeem toe. Je kunt meteen een test versturen.',
  create: 'Nieuwe webhook',
  columns: { webhook: 'Webhook', health: 'Status', last: 'Laatste poging' },
  never: 'Nooit',
  full: (max: number) =>
    `Een project kan ${max} webhooks hebben. Verwijder er een om een nieuwe toe te voegen.`,
  tierTitle: 'Webhooks horen bij het abonnement Changemaker',
  tierHelp: (tier: string) =>
    `Deze werkruimte heeft het abonnement ${tier}. Met Changemaker of Guardian krijgen andere systemen een ondertekend verzoek als een gesprek begint, getranscribeerd of samengevat is, en als een rapport klaar is. Vraag de eigenaar van je organisatie om het abonnement te wijzigen.`,
  tierKept:
    'Bestaande webhooks blijven bewaard. Events worden bij elk abonnement vastgelegd en kunnen later worden nagestuurd.',
  tiers: {
    free: 'Free',
    innovator: 'Innovator',
    changemaker: 'Changemaker',
    guardian: 'Guardian',
  } as Record<string, string>,

  states: { new: 'Ongebruikt', ok: 'In orde', failing: 'Storing', disabled: 'Uitgeschakeld' },
  failuresInRow: (count: number) => `${count.toLocaleString('nl')} keer op rij mislukt`,
  missed: (count: number) => `${count.toLocaleString('nl')}${count >= 10_000 ? '+' : ''} gemist`,
  reasons: {
    manual: 'De webhook is met de hand uitgeschakeld. Tot je hem inschakelt, tellen events als gemist.',
    gone: 'De ontvanger gaf 410 Gone terug; daarom is de webhook uitgeschakeld. Controleer het adres en schakel hem weer in.',
    failing:
      'In 5 dagen is geen enkele bezorging gelukt; daarom is de webhook uitgeschakeld. Herstel de ontvanger, verstuur een test en schakel hem weer in.',
    staff: 'Het serviceteam heeft de webhook uitgeschakeld. Alleen het serviceteam kan hem weer inschakelen.',
    secret_unreadable:
      'Het secret kan niet meer worden ontsleuteld. Stel een nieuw secret in en schakel de webhook weer in.',
  },
  failingTitle: (count: number) =>
    count === 1
      ? 'De laatste poging is mislukt'
      : `De laatste ${plural(count, 'poging', 'pogingen')} zijn mislukt`,
  lastResponse: (status: number) => `Laatste antwoord: ${status}`,
  lastSuccess: (time: string) => `Laatst gelukt: ${time}`,
  failingHelp:
    'Parley blijft het proberen: per event tot 11 pogingen in 76 uur. Na 5 mislukte pogingen op rij gaat er steeds één verzoek tegelijk uit, tot er weer een lukt.',
  missedTitle: (count: number) => `${deliveries(count)} ${count === 1 ? 'is' : 'zijn'} gemist`,
  missedHelp: 'Ze blijven bewaard. Stuur ze na zodra de ontvanger weer werkt.',
  unsigned: 'Niet ondertekend',
  unsignedHelp: 'Verzoeken zijn niet ondertekend: de ontvanger kan niet nagaan of ze van Parley komen.',
  weak: 'Zwak secret',
  weakHelp: 'Het secret heeft minder dan 16 tekens.',

  form: {
    url: 'Adres',
    urlHelp: 'Hier komen de verzoeken binnen, met POST',
    urlPlaceholder: 'https://example.org/hooks/parley',
    name: 'Naam',
    nameHelp: 'Niet verplicht; om webhooks uit elkaar te houden',
    events: 'Events',
    eventsHelp: 'Waarover de ontvanger bericht krijgt',
    payload: 'Inhoud',
    payloads: { full: 'Alles', ids: 'Alleen id’s' },
    payloadHelp: {
      full: 'Namen, titels, transcript en samenvatting staan in het verzoek.',
      ids: 'Het verzoek meldt alleen wat er is gebeurd. De ontvanger haalt de inhoud op via de API.',
    },
    secret: 'Secret',
    secretKinds: { generate: 'Genereren', type: 'Zelf typen', none: 'Geen' },
    secretHelp: {
      generate: 'Parley maakt een sterk secret. Je ziet het maar één keer.',
      type: 'Je typt het hier en bij de ontvanger. Daarna wordt het niet meer getoond.',
      none: 'Verzoeken worden niet ondertekend. Iedereen die het adres kent, kan ze namaken.',
    },
    typed: 'Je secret',
    removeSecret: 'Secret verwijderen',
    removeSecretTitle: 'Secret verwijderen?',
    removeSecretHelp:
      'Verzoeken worden dan niet meer ondertekend. Een ontvanger die handtekeningen controleert, weigert ze vanaf dat moment allemaal.',
    add: 'Webhook aanmaken',
    save: 'Opslaan',
    saved: 'Opgeslagen',
    discard: 'Niet opslaan',
    http: 'Niet versleuteld. http werkt alleen als de beheerder het toestaat.',
    errors: {
      url: 'Vul een volledig adres in, bijvoorbeeld https://example.org/hooks',
      scheme: 'Het adres moet beginnen met https://',
      userinfo: 'Er mag geen gebruikersnaam of wachtwoord in het adres staan',
      fragment: 'Er mag geen deel met # in het adres staan',
      long: 'Het adres is te lang: hoogstens 2.048 tekens',
      events: 'Kies minstens één event',
      secretEmpty: 'Typ een secret, of laat Parley er een genereren',
      secretBase64: 'Na whsec_ moet geldige base64 volgen',
      secretNul: 'Er staat een teken in het secret dat niet kan worden gebruikt',
    },
  },
  eventNames: {
    'conversation.started': 'Gesprek begonnen',
    'conversation.transcribed': 'Transcript klaar',
    'conversation.summarized': 'Samenvatting klaar',
    'report.generated': 'Rapport klaar',
    'webhook.test': 'Test',
  } as Record<string, string>,

  secretOnceTitle: 'Bewaar dit secret nu',
  secretOnce: 'De ontvanger heeft het nodig om handtekeningen te controleren. Je ziet het maar één keer.',
  secretStored: 'Ik heb het bewaard',

  tabs: { deliveries: 'Bezorgingen', guide: 'Handleiding', settings: 'Instellingen' },
  more: 'Meer acties',
  enable: 'Inschakelen',
  disable: 'Uitschakelen',
  disableTitle: 'Deze webhook uitschakelen?',
  disableHelp:
    'Zolang hij uitgeschakeld is, wordt er niets verstuurd. Wachtende en nieuwe bezorgingen tellen als gemist; ze blijven bewaard en kunnen worden nagestuurd.',
  remove: 'Verwijderen',
  removeTitle: 'Deze webhook verwijderen?',
  removeHelp:
    'Wachtende bezorgingen worden geannuleerd en het log is niet meer te bekijken. Je kunt dit niet terugdraaien.',
  removeConfirm: 'Definitief wissen',

  rotate: 'Secret roteren',
  rotateHelp:
    'Vanaf nu ondertekent het nieuwe secret. Tijdens de overlap staan beide handtekeningen in elk verzoek, zodat je de ontvanger kunt aanpassen zonder een bezorging te missen.',
  rotateUnsigned: 'Vanaf nu worden verzoeken ondertekend.',
  overlap: 'Overlap',
  overlaps: { '0': 'Geen: het oude secret stopt nu', '3600': '1 uur', '86400': '1 dag', '604800': '7 dagen' },
  rotateNow: 'Roteren',
  rotated: 'Vanaf nu ondertekent het nieuwe secret.',
  oldValidUntil: (time: string) => `Het oude secret ondertekent nog mee tot ${time}.`,
  oldEnded: 'Het oude secret ondertekent niet meer.',

  test: 'Test versturen',
  testHelp:
    'Er gaat nu één verzoek met voorbeeldgegevens uit, ook als de webhook uitgeschakeld is. De status van de webhook verandert er niet door.',
  testEvent: 'Voorbeeld van',
  testSend: 'Versturen',
  testAgain: 'Opnieuw versturen',
  testOk: (status: number, ms: number) =>
    `De ontvanger antwoordde met ${status} in ${ms.toLocaleString('nl')} ms`,
  testFailed: 'De ontvanger heeft de test niet aangenomen',

  replay: 'Events nasturen',
  replayHelp:
    'Stuurt events uit een periode nog eens, als nieuwe bezorgingen met dezelfde event-id’s. Mislukte pogingen worden herhaald zoals altijd.',
  replayOnly: 'Welke',
  replayKinds: {
    undelivered: 'Mislukt en gemist',
    failed: 'Alleen mislukt',
    missed: 'Alleen gemist',
    all: 'Alle events, ook wat al bezorgd is',
  },
  replayAllHelp: 'Je ontvanger krijgt ook events die hij al heeft. Aan de id kan hij ze herkennen.',
  replayStart: 'Nasturen starten',
  replayDisabled: 'Schakel de webhook eerst in: anders kun je niets nasturen.',
  replayStates: {
    running: 'Nasturen is bezig',
    done: 'Nasturen is klaar',
    cancelled: 'Nasturen is geannuleerd',
  },
  replayProgress: (done: number, total: number) =>
    `${done.toLocaleString('nl')} van ${total.toLocaleString('nl')} klaar`,
  replayFailed: (count: number) => `${count.toLocaleString('nl')} mislukt`,
  replayNothing: 'In deze periode was er niets om na te sturen.',
  replayCancel: 'Nasturen stoppen',
  replayHide: 'Verbergen',
  since: 'Vanaf',
  until: 'Tot',
  untilHelp: 'Leeg: nu',
}
