import { plural } from '../shared/plural.ts'

const failures = (count: number) => plural(count, 'Fehler', 'Fehler')
const deliveries = (count: number) => plural(count, 'Zustellung', 'Zustellungen')

export const webhooks = {
  title: 'Webhooks',
  allEvents: 'Alle Ereignisse und ihre Felder',
  intro: 'Wenn in diesem Projekt etwas geschieht, sendet Parley eine signierte Anfrage an Ihre Adresse.',
  none: 'Noch keine Webhooks',
  noneHelp: 'Tragen Sie die Adresse Ihres Systems ein. Einen Test können Sie sofort senden.',
  create: 'Neuer Webhook',
  columns: { webhook: 'Webhook', health: 'Status', last: 'Letzter Versuch' },
  never: 'Nie',
  full: (max: number) =>
    `Ein Projekt kann ${max} Webhooks haben. Löschen Sie einen, um einen neuen zu erstellen.`,
  tierTitle: 'Webhooks gehören zum Tarif Changemaker',
  tierHelp: (tier: string) =>
    `Dieser Arbeitsbereich hat den Tarif ${tier}. Mit Changemaker oder Guardian erhalten andere Systeme eine signierte Anfrage, wenn ein Gespräch beginnt, transkribiert oder zusammengefasst ist und wenn ein Bericht fertig ist. Bitten Sie die Inhaber Ihrer Organisation, den Tarif zu ändern.`,
  tierKept:
    'Vorhandene Webhooks bleiben erhalten. Ereignisse werden in jedem Tarif erfasst und lassen sich später nachsenden.',
  tiers: {
    free: 'Free',
    innovator: 'Innovator',
    changemaker: 'Changemaker',
    guardian: 'Guardian',
  } as Record<string, string>,

  states: { new: 'Unbenutzt', ok: 'In Ordnung', failing: 'Gestört', disabled: 'Deaktiviert' },
  failuresInRow: (count: number) => `${failures(count)} in Folge`,
  missed: (count: number) => `${count.toLocaleString('de')}${count >= 10_000 ? '+' : ''} verpasst`,
  reasons: {
    manual: 'Der Webhook wurde von Hand deaktiviert. Bis Sie ihn aktivieren, gelten Ereignisse als verpasst.',
    gone: 'Der Empfänger hat 410 Gone zurückgegeben, deshalb wurde der Webhook deaktiviert. Prüfen Sie die Adresse und aktivieren Sie ihn wieder.',
    failing:
      '5 Tage lang ist keine Zustellung gelungen, deshalb wurde der Webhook deaktiviert. Beheben Sie den Fehler beim Empfänger, senden Sie einen Test und aktivieren Sie den Webhook wieder.',
    staff: 'Das Service-Team hat den Webhook deaktiviert. Nur das Service-Team kann ihn wieder aktivieren.',
    secret_unreadable:
      'Das Secret lässt sich nicht mehr entschlüsseln. Legen Sie ein neues fest und aktivieren Sie den Webhook wieder.',
  },
  failingTitle: (count: number) =>
    count === 1
      ? 'Der letzte Versuch ist fehlgeschlagen'
      : `Die letzten ${plural(count, 'Versuch', 'Versuche')} sind fehlgeschlagen`,
  lastResponse: (status: number) => `Letzte Antwort: ${status}`,
  lastSuccess: (time: string) => `Letzter Erfolg: ${time}`,
  failingHelp:
    'Parley versucht es weiter: pro Ereignis bis zu 11 Versuche in 76 Stunden. Nach 5 Fehlern in Folge wird immer nur eine Anfrage gesendet, bis wieder eine gelingt.',
  missedTitle: (count: number) => `${deliveries(count)} ${count === 1 ? 'wurde' : 'wurden'} verpasst`,
  missedHelp: 'Sie gehen nicht verloren. Senden Sie sie nach, wenn der Empfänger wieder funktioniert.',
  unsigned: 'Nicht signiert',
  unsignedHelp: 'Anfragen sind nicht signiert: Der Empfänger kann nicht prüfen, ob sie von Parley kommen.',
  weak: 'Schwaches Secret',
  weakHelp: 'Das Secret hat weniger als 16 Zeichen.',

  form: {
    url: 'Adresse',
    urlHelp: 'Hierhin gehen die Anfragen, per POST',
    urlPlaceholder: 'https://example.org/hooks/parley',
    name: 'Name',
    nameHelp: 'Optional; um Webhooks zu unterscheiden',
    events: 'Ereignisse',
    eventsHelp: 'Worüber der Empfänger benachrichtigt wird',
    payload: 'Inhalt',
    payloads: { full: 'Alles', ids: 'Nur IDs' },
    payloadHelp: {
      full: 'Namen, Titel, Transkript und Zusammenfassung stehen in der Anfrage.',
      ids: 'Die Anfrage nennt nur, was geschehen ist. Den Inhalt holt der Empfänger über die API.',
    },
    secret: 'Secret',
    secretKinds: { generate: 'Erzeugen', type: 'Eingeben', none: 'Keines' },
    secretHelp: {
      generate: 'Parley erzeugt ein starkes Secret und zeigt es einmal an.',
      type: 'Sie geben es hier und beim Empfänger ein. Danach wird es nicht mehr angezeigt.',
      none: 'Anfragen werden nicht signiert. Wer die Adresse kennt, kann gefälschte senden.',
    },
    typed: 'Ihr Secret',
    removeSecret: 'Secret löschen',
    removeSecretTitle: 'Secret löschen?',
    removeSecretHelp:
      'Anfragen werden dann nicht mehr signiert. Ein Empfänger, der Signaturen prüft, lehnt ab diesem Moment alle ab.',
    add: 'Webhook erstellen',
    save: 'Speichern',
    saved: 'Gespeichert',
    discard: 'Verwerfen',
    http: 'Nicht verschlüsselt. http funktioniert nur, wenn der Betreiber es erlaubt.',
    errors: {
      url: 'Geben Sie eine vollständige Adresse ein, zum Beispiel https://example.org/hooks',
      scheme: 'Die Adresse muss mit https:// beginnen',
      userinfo: 'Die Adresse darf keinen Benutzernamen und kein Passwort enthalten',
      fragment: 'Die Adresse darf keinen Teil mit # enthalten',
      long: 'Die Adresse ist zu lang: höchstens 2.048 Zeichen',
      events: 'Wählen Sie mindestens ein Ereignis',
      secretEmpty: 'Geben Sie ein Secret ein oder lassen Sie eines erzeugen',
      secretBase64: 'Nach whsec_ muss gültiges Base64 folgen',
      secretNul: 'Das Secret enthält ein Zeichen, das nicht verwendet werden kann',
    },
  },
  eventNames: {
    'conversation.started': 'Gespräch begonnen',
    'conversation.transcribed': 'Transkript fertig',
    'conversation.summarized': 'Zusammenfassung fertig',
    'report.generated': 'Bericht fertig',
    'webhook.test': 'Test',
  } as Record<string, string>,

  secretOnceTitle: 'Speichern Sie dieses Secret jetzt',
  secretOnce: 'Der Empfänger braucht es, um Signaturen zu prüfen. Es wird nur einmal angezeigt.',
  secretStored: 'Ich habe es gespeichert',

  tabs: { deliveries: 'Zustellungen', guide: 'Anleitung', settings: 'Einstellungen' },
  more: 'Weitere Aktionen',
  enable: 'Aktivieren',
  disable: 'Deaktivieren',
  disableTitle: 'Diesen Webhook deaktivieren?',
  disableHelp:
    'Solange er deaktiviert ist, wird nichts gesendet. Wartende und neue Zustellungen gelten als verpasst; sie bleiben erhalten und lassen sich nachsenden.',
  remove: 'Löschen',
  removeTitle: 'Diesen Webhook löschen?',
  removeHelp:
    'Wartende Zustellungen werden abgebrochen, und die bisherigen sind nicht mehr einsehbar. Das lässt sich nicht rückgängig machen.',
  removeConfirm: 'Endgültig löschen',

  rotate: 'Secret rotieren',
  rotateHelp:
    'Ab sofort signiert das neue Secret. Während der Übergangszeit trägt jede Anfrage beide Signaturen. So können Sie den Empfänger umstellen, ohne eine Zustellung zu verlieren.',
  rotateUnsigned: 'Ab sofort werden Anfragen signiert.',
  overlap: 'Übergangszeit',
  overlaps: {
    '0': 'Keine: das alte Secret endet jetzt',
    '3600': '1 Stunde',
    '86400': '1 Tag',
    '604800': '7 Tage',
  },
  rotateNow: 'Rotieren',
  rotated: 'Ab sofort signiert das neue Secret.',
  oldValidUntil: (time: string) => `Das alte Secret signiert zusätzlich bis ${time}.`,
  oldEnded: 'Das alte Secret signiert nicht mehr.',

  test: 'Test senden',
  testHelp:
    'Eine Anfrage mit Beispieldaten wird sofort gesendet, auch an einen deaktivierten Webhook. Am Status des Webhooks ändert das nichts.',
  testEvent: 'Beispiel für',
  testSend: 'Senden',
  testAgain: 'Erneut senden',
  testOk: (status: number, ms: number) =>
    `Der Empfänger hat nach ${ms.toLocaleString('de')} ms mit ${status} geantwortet`,
  testFailed: 'Der Empfänger hat den Test nicht angenommen',

  replay: 'Ereignisse nachsenden',
  replayHelp:
    'Sendet die Ereignisse eines Zeitraums noch einmal, als neue Zustellungen mit denselben Ereignis-IDs. Fehlgeschlagene Versuche werden wie üblich wiederholt.',
  replayOnly: 'Welche',
  replayKinds: {
    undelivered: 'Fehlgeschlagene und verpasste',
    failed: 'Nur fehlgeschlagene',
    missed: 'Nur verpasste',
    all: 'Alle, auch bereits zugestellte',
  },
  replayAllHelp: 'Ihr Empfänger erhält auch Ereignisse, die er schon hat. An der ID kann er sie erkennen.',
  replayStart: 'Jetzt nachsenden',
  replayDisabled:
    'Aktivieren Sie zuerst den Webhook: Solange er deaktiviert ist, lässt sich nichts nachsenden.',
  replayStates: {
    running: 'Nachsendung läuft',
    done: 'Nachsendung fertig',
    cancelled: 'Nachsendung abgebrochen',
  },
  replayProgress: (done: number, total: number) =>
    `${done.toLocaleString('de')} von ${total.toLocaleString('de')} fertig`,
  replayFailed: (count: number) => `${count.toLocaleString('de')} fehlgeschlagen`,
  replayNothing: 'In diesem Zeitraum gab es nichts nachzusenden.',
  replayCancel: 'Abbrechen',
  replayHide: 'Ausblenden',
  since: 'Von',
  until: 'Bis',
  untilHelp: 'Leer: jetzt',
}
