import type { App, MakeScreen, Screen } from '../app.ts'
import type { TextKey } from '../languages/texts.ts'
import { watchLevel } from '../recorder/level.ts'
import {
  closeMicrophone,
  listMicrophones,
  type MicrophoneError,
  type MicrophoneProblem,
  onUnplugged,
  openMicrophone,
} from '../recorder/microphone.ts'
import { Session } from '../session.ts'
import { previousStep } from '../steps.ts'
import { button, field, notice, paragraph, picture } from '../ui/controls.ts'
import { h, setText } from '../ui/element.ts'
import { levelBar } from '../ui/level-bar.ts'
import { microphoneTest } from './microphone-test.ts'

interface Help {
  title: TextKey
  help: TextKey
  /** Whether the participant can do something about it and try again. */
  canRetry: boolean
}

const HELP: Record<MicrophoneProblem, Help> = {
  blocked: { title: 'errorBlocked', help: 'errorBlockedHelp', canRetry: true },
  none: { title: 'errorNoMicrophone', help: 'errorNoMicrophoneHelp', canRetry: true },
  in_use: { title: 'errorInUse', help: 'errorInUseHelp', canRetry: true },
  not_secure: { title: 'errorNotSecure', help: 'errorNotSecureHelp', canRetry: false },
  no_recorder: { title: 'errorNoRecorder', help: 'errorNoRecorderHelp', canRetry: false },
}

const back = (app: App) => () => {
  releaseMicrophone(app)
  app.microphoneProblem = null
  app.show(app.session ? 'review' : previousStep(app.project, 'microphone'))
}

function releaseMicrophone(app: App): void {
  closeMicrophone(app.microphone)
  app.microphone = null
}

const typeInstead = (app: App, kind: 'primary' | 'quiet' = 'quiet') =>
  button(kind, app.t('typeInstead'), () => {
    releaseMicrophone(app)
    app.show('text')
  })

async function turnOn(app: App, deviceId?: string): Promise<void> {
  releaseMicrophone(app)
  try {
    const stream = await openMicrophone(deviceId)
    // The participant went elsewhere while the browser asked.
    if (app.step !== 'microphone') return closeMicrophone(stream)
    // The button was pressed twice.
    releaseMicrophone(app)
    app.microphone = stream
    app.microphoneProblem = null
  } catch (error) {
    app.microphoneProblem = (error as MicrophoneError).problem
  }
  if (app.step === 'microphone') app.refresh()
}

/** Takes the checked microphone and records: a new conversation, or more of the one that was stopped. */
async function startRecording(app: App): Promise<void> {
  const { microphone, outbox, project, answers, draft } = app
  if (!microphone) return
  app.microphone = null
  app.session ??= await Session.create(outbox, project, answers, draft)
  app.draft = null
  app.session.start(microphone)
  // One that was opened since the button was pressed.
  releaseMicrophone(app)
  app.show('recording')
}

/** Asks for the microphone, then shows that it works. */
export const microphoneCheck: MakeScreen = (app) =>
  app.microphoneProblem
    ? problem(app, HELP[app.microphoneProblem])
    : app.microphone
      ? checking(app, app.microphone)
      : asking(app)

const asking: MakeScreen = (app) => ({
  title: app.t('microphoneTitle'),
  content: [picture('microphone'), paragraph(app.t('microphoneAsk'))],
  actions: [
    button('primary', app.t('microphoneAllow'), () => void turnOn(app), 'microphone'),
    typeInstead(app),
  ],
  back: back(app),
})

const problem = (app: App, { title, help, canRetry }: Help): Screen => ({
  title: app.t('microphoneTitle'),
  content: [notice(app.t(title), app.t(help))],
  actions: canRetry
    ? [button('primary', app.t('tryAgain'), () => void turnOn(app)), typeInstead(app)]
    : [typeInstead(app, 'primary')],
  back: back(app),
})

/** Louder than a quiet room, on the scale of `watchLevel`. */
const VOICE_LEVEL = 0.35
const QUIET_AFTER_MS = 5_000

function checking(app: App, stream: MediaStream): Screen {
  const { t } = app
  const bar = levelBar(t('microphoneLevel'))
  const hint = paragraph(t('microphoneSpeak'), 'hint-text')
  hint.setAttribute('role', 'status')
  const since = performance.now()
  let hasVoice = false
  const stopLevel = watchLevel(stream, (level) => {
    bar.set(level)
    hasVoice ||= level > VOICE_LEVEL
    const isQuiet = !hasVoice && performance.now() - since > QUIET_AFTER_MS
    setText(hint, t(hasVoice ? 'microphoneWorks' : isQuiet ? 'microphoneQuiet' : 'microphoneSpeak'))
  })
  const over = new AbortController()
  const replace = () => void turnOn(app)
  for (const track of stream.getAudioTracks()) {
    track.addEventListener('ended', replace, { signal: over.signal })
    onUnplugged(track, replace, over.signal)
  }
  const devices = h('div')
  void showDevices(app, stream, devices)
  const test = microphoneTest(app, stream)
  return {
    title: t('microphoneTitle'),
    content: [h('div', { class: 'meter' }, bar.element, hint), devices, test.element],
    actions: [
      button(
        'primary',
        t(app.session ? 'resumeContinue' : 'microphoneStart'),
        () => void startRecording(app),
        'microphone',
      ),
      typeInstead(app),
    ],
    back: back(app),
    leave: () => {
      over.abort()
      stopLevel()
      test.stop()
    },
  }
}

/** A choice only where there is one. */
async function showDevices(app: App, stream: MediaStream, target: HTMLElement): Promise<void> {
  const known = await listMicrophones()
  if (known.length < 2) return
  const current = stream.getAudioTracks()[0]?.getSettings().deviceId
  const select = h(
    'select',
    { onchange: () => void turnOn(app, select.value) },
    ...known.map(({ id, label }) => h('option', { value: id, selected: id === current }, label)),
  )
  target.replaceChildren(field(app.t('microphoneDevice'), select).element)
}
