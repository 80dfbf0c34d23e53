import { plural } from '../shared/plural.ts'

const failures = (count: number) => plural(count, 'failure', 'failures')
const deliveries = (count: number) => plural(count, 'delivery', 'deliveries')

export const webhooks = {
  title: 'Webhooks',
  allEvents: 'All events and their fields',
  intro: 'Parley sends a signed request to your address when something happens in this project.',
  none: 'No webhooks yet',
  noneHelp: 'Add the address of your system. You can send a test right away, before anything happens.',
  create: 'New webhook',
  columns: { webhook: 'Webhook', health: 'Health', last: 'Last attempt' },
  never: 'Never',
  full: (max: number) => `A project can have ${max} webhooks. Delete one to add another.`,
  tierTitle: 'Webhooks are part of the Changemaker tier',
  tierHelp: (tier: string) =>
    `This workspace is on the ${tier} tier. With Changemaker or Guardian, other systems are notified by signed requests when a conversation starts, is transcribed or summarised, and when a report is ready. Ask the owner of your organisation to change the tier.`,
  tierKept: 'Webhooks that exist are kept. Events are recorded in every tier and can be replayed later.',
  tiers: {
    free: 'Free',
    innovator: 'Innovator',
    changemaker: 'Changemaker',
    guardian: 'Guardian',
  } as Record<string, string>,

  states: { new: 'Not used yet', ok: 'Healthy', failing: 'Failing', disabled: 'Disabled' },
  failuresInRow: (count: number) => `${failures(count)} in a row`,
  missed: (count: number) => `${count.toLocaleString('en')}${count >= 10_000 ? '+' : ''} missed`,
  reasons: {
    manual: 'It was disabled by hand. Events are recorded as missed until you enable it.',
    gone: 'The receiver returned 410 Gone, so the webhook was disabled. Check the address, then enable it.',
    failing:
      'No delivery succeeded for 5 days, so the webhook was disabled. Repair the receiver, send a test, then enable it.',
    staff: 'Staff of the service disabled it. Only staff can enable it again.',
    secret_unreadable: 'Its secret can no longer be decrypted. Set a new secret, then enable it.',
  },
  failingTitle: (count: number) => `The last ${plural(count, 'attempt', 'attempts')} failed`,
  lastResponse: (status: number) => `Last response: ${status}`,
  lastSuccess: (time: string) => `Last success: ${time}`,
  failingHelp:
    'Parley keeps trying: up to 11 attempts over 76 hours for each event. After 5 failures in a row it sends one request at a time until one succeeds.',
  missedTitle: (count: number) => `${deliveries(count)} ${count === 1 ? 'was' : 'were'} missed`,
  missedHelp: 'They are kept. Replay them when the receiver works again.',
  unsigned: 'Unsigned',
  unsignedHelp: 'Requests are not signed: the receiver cannot tell whether they come from Parley.',
  weak: 'Weak secret',
  weakHelp: 'The secret has fewer than 16 characters.',

  form: {
    url: 'Address',
    urlHelp: 'Requests are sent to it by POST',
    urlPlaceholder: 'https://example.org/hooks/parley',
    name: 'Name',
    nameHelp: 'Optional; to tell webhooks apart',
    events: 'Events',
    eventsHelp: 'What the receiver is notified about',
    payload: 'Content',
    payloads: { full: 'Everything', ids: 'Ids only' },
    payloadHelp: {
      full: 'Names, titles, transcript and summary are in the request.',
      ids: 'The request names what happened. The receiver reads the content from the API.',
    },
    secret: 'Secret',
    secretKinds: { generate: 'Generate', type: 'Type one', none: 'None' },
    secretHelp: {
      generate: 'A strong secret is made and shown once.',
      type: 'You type it here and at the receiver. It is not shown again.',
      none: 'Requests are not signed. Anyone who knows the address can imitate them.',
    },
    typed: 'Your secret',
    removeSecret: 'Stop signing',
    removeSecretTitle: 'Stop signing requests?',
    removeSecretHelp:
      'The secret is removed now. A receiver that verifies signatures refuses every request from then on.',
    add: 'Create the webhook',
    save: 'Save changes',
    saved: 'Saved',
    discard: 'Discard changes',
    http: 'Not encrypted. The service accepts http only where its operator allows it.',
    errors: {
      url: 'Enter a whole address, for example https://example.org/hooks',
      scheme: 'The address must start with https://',
      userinfo: 'The address must not contain a user name or password',
      fragment: 'The address must not contain a # part',
      long: 'The address is too long: at most 2,048 characters',
      events: 'Choose at least one event',
      secretEmpty: 'Type a secret, or let Parley generate one',
      secretBase64: 'After whsec_ there must be valid base64',
      secretNul: 'The secret contains a character that cannot be used',
    },
  },
  eventNames: {
    'conversation.started': 'A conversation starts',
    'conversation.transcribed': 'A transcript is ready',
    'conversation.summarized': 'A summary is ready',
    'report.generated': 'A report is ready',
    'webhook.test': 'Test',
  } as Record<string, string>,

  secretOnceTitle: 'Store this secret now',
  secretOnce: 'The receiver needs it to verify signatures. It is shown only once.',
  secretStored: 'I have stored it',

  tabs: { deliveries: 'Deliveries', guide: 'Guide', settings: 'Settings' },
  more: 'More actions',
  enable: 'Enable',
  disable: 'Disable',
  disableTitle: 'Disable this webhook?',
  disableHelp:
    'Nothing is sent to it while it is disabled. Pending and new deliveries become missed; they are kept and can be replayed.',
  remove: 'Delete',
  removeTitle: 'Delete this webhook?',
  removeHelp:
    'Its pending deliveries are cancelled and its log is no longer reachable. This cannot be undone.',
  removeConfirm: 'Delete for good',

  rotate: 'Rotate the secret',
  rotateHelp:
    'The new secret signs from now on. During the overlap, requests carry both signatures, so you can change the receiver without losing a delivery.',
  rotateUnsigned: 'Requests become signed from now on.',
  overlap: 'Overlap',
  overlaps: { '0': 'None: the old secret ends now', '3600': '1 hour', '86400': '1 day', '604800': '7 days' },
  rotateNow: 'Rotate',
  rotated: 'The new secret signs from now on.',
  oldValidUntil: (time: string) => `The old secret still signs beside it until ${time}.`,
  oldEnded: 'The old secret no longer signs.',

  test: 'Send a test',
  testHelp:
    'One request with sample data is sent now, also to a disabled webhook. It does not change the health.',
  testEvent: 'Sample of',
  testSend: 'Send',
  testAgain: 'Send again',
  testOk: (status: number, ms: number) => `The receiver returned ${status} in ${ms.toLocaleString('en')} ms`,
  testFailed: 'The receiver did not accept the test',

  replay: 'Replay events',
  replayHelp:
    'Sends events of a time range again, as new deliveries with the same event ids. Each is retried as usual.',
  replayOnly: 'Which',
  replayKinds: {
    undelivered: 'Failed and missed',
    failed: 'Failed only',
    missed: 'Missed only',
    all: 'Every event, also delivered ones',
  },
  replayAllHelp: 'Your receiver also gets events that it already has. It can recognise them by their ids.',
  replayStart: 'Start the replay',
  replayDisabled: 'Enable the webhook first: a disabled one cannot be replayed.',
  replayStates: {
    running: 'Replay is running',
    done: 'Replay has finished',
    cancelled: 'Replay was cancelled',
  },
  replayProgress: (done: number, total: number) =>
    `${done.toLocaleString('en')} of ${total.toLocaleString('en')} done`,
  replayFailed: (count: number) => `${count.toLocaleString('en')} failed`,
  replayNothing: 'There was nothing to replay in this time range.',
  replayCancel: 'Cancel the replay',
  replayHide: 'Hide',
  since: 'From',
  until: 'Until',
  untilHelp: 'Empty: now',
}
