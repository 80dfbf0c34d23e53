import type { App, MakeScreen, Screen } from '../app.ts'
import type { TextKey } from '../languages/texts.ts'
import { watchLevel } from '../recorder/level.ts'
import {
  closeMicrophone,
  listMicrophones,
  type MicrophoneError,
  type MicrophoneProblem,
  openMicrophone,
} from '../recorder/microphone.ts'
import { recordFile } from '../recorder/recorder.ts'
import { Session } from '../session.ts'
import { previousStep } from '../steps.ts'
import { button, field, notice, paragraph } from '../ui/controls.ts'
import { h, setText } from '../ui/element.ts'
import { levelBar } from '../ui/level-bar.ts'

const HELP: Record<MicrophoneProblem, [title: TextKey, help: TextKey]> = {
  blocked: ['errorBlocked', 'errorBlockedHelp'],
  none: ['errorNoMicrophone', 'errorNoMicrophoneHelp'],
  in_use: ['errorInUse', 'errorInUseHelp'],
  not_secure: ['errorNotSecure', 'errorNotSecureHelp'],
  no_recorder: ['errorNoRecorder', 'errorNoRecorderHelp'],
}

const back = (app: App) => () => {
  releaseMicrophone(app)
  app.show(app.session ? 'review' : previousStep(app.project, 'microphone'))
}

function releaseMicrophone(app: App): void {
  closeMicrophone(app.microphone)
  app.microphone = null
}

const typeInstead = (app: App) =>
  button('quiet', app.t('typeInstead'), () => {
    releaseMicrophone(app)
    app.show('text')
  })

async function turnOn(app: App, deviceId?: string): Promise<void> {
  releaseMicrophone(app)
  try {
    app.microphone = await openMicrophone(deviceId)
    app.microphoneProblem = null
  } catch (error) {
    app.microphoneProblem = (error as MicrophoneError).problem
  }
  app.refresh()
}

/** Takes the checked microphone and records: a new conversation, or more of the one that was stopped. */
async function startRecording(app: App): Promise<void> {
  const { microphone, outbox, project, answers } = app
  if (!microphone) return
  app.microphone = null
  app.session ??= await Session.create(outbox, project, answers)
  app.session.start(microphone)
  app.show('recording')
}

/** Asks for the microphone, then shows that it works. */
export const microphoneCheck: MakeScreen = (app) =>
  app.microphoneProblem
    ? problem(app, app.microphoneProblem)
    : app.microphone
      ? checking(app, app.microphone)
      : asking(app)

const asking: MakeScreen = (app) => ({
  title: app.t('microphoneTitle'),
  content: [paragraph(app.t('microphoneAsk'))],
  actions: [
    button('primary', app.t('microphoneAllow'), () => void turnOn(app), 'microphone'),
    typeInstead(app),
  ],
  back: back(app),
})

function problem(app: App, kind: MicrophoneProblem): Screen {
  const [title, help] = HELP[kind]
  return {
    title: app.t('microphoneTitle'),
    content: [notice('warning', app.t(title), app.t(help))],
    actions: [button('primary', app.t('tryAgain'), () => void turnOn(app)), typeInstead(app)],
    back: back(app),
  }
}

/** Louder than a quiet room, on the scale of `watchLevel`. */
const VOICE_LEVEL = 0.35
const QUIET_AFTER_MS = 5_000
const TEST_MS = 3_000

function checking(app: App, stream: MediaStream): Screen {
  const { t } = app
  const bar = levelBar(t('microphoneLevel'))
  const hint = paragraph(t('microphoneSpeak'))
  hint.setAttribute('role', 'status')
  const since = Date.now()
  let hasVoice = false
  const stopLevel = watchLevel(stream, (level) => {
    bar.set(level)
    hasVoice ||= level > VOICE_LEVEL
    const isQuiet = !hasVoice && Date.now() - since > QUIET_AFTER_MS
    setText(hint, t(hasVoice ? 'microphoneWorks' : isQuiet ? 'microphoneQuiet' : 'microphoneSpeak'))
  })
  const devices = h('div')
  void showDevices(app, stream, devices)
  const test = button('secondary', t('microphoneTest'), () => void testMicrophone(app, stream, test))
  return {
    title: t('microphoneTitle'),
    content: [bar.element, hint, devices, test],
    actions: [
      button('primary', t('microphoneStart'), () => void startRecording(app), 'microphone'),
      typeInstead(app),
    ],
    back: back(app),
    leave: stopLevel,
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

/** Records three seconds and plays them. Nothing of it is saved or sent. */
async function testMicrophone({ t }: App, stream: MediaStream, control: HTMLButtonElement): Promise<void> {
  const label = control.querySelector('span') as HTMLElement
  control.disabled = true
  setText(label, t('microphoneTesting'))
  const pieces: ArrayBuffer[] = []
  let type = ''
  const file = recordFile(stream, {
    onPiece: async (piece) => {
      type = piece.type
      pieces.push(piece.bytes)
    },
    onLost: () => {},
  })
  await new Promise((resolve) => setTimeout(resolve, TEST_MS))
  await file.stop()
  setText(label, t('microphonePlaying'))
  const url = URL.createObjectURL(new Blob(pieces, { type }))
  const audio = new Audio(url)
  await new Promise<void>((resolve) => {
    audio.onended = audio.onerror = () => resolve()
    audio.play().catch(() => resolve())
  })
  URL.revokeObjectURL(url)
  control.disabled = false
  setText(label, t('microphoneTest'))
}
