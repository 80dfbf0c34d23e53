import '../../portal/ui/styles.css'
import type { Project } from '../../portal/api.ts'
import { type App, type MakeScreen, type Screen, showScreen } from '../../portal/app.ts'
import {
  chooseLanguage,
  type Language,
  loadLanguage,
  type Translate,
} from '../../portal/languages/languages.ts'
import { about } from '../../portal/screens/about.ts'
import { closed } from '../../portal/screens/closed.ts'
import { consent } from '../../portal/screens/consent.ts'
import { recording } from '../../portal/screens/recording.ts'
import { thanks } from '../../portal/screens/thanks.ts'
import { welcome } from '../../portal/screens/welcome.ts'
import type { Step } from '../../portal/steps.ts'
import { applyAccent } from '../../portal/ui/accent.ts'
import { h } from '../../portal/ui/element.ts'
import { applyLanguage } from '../../portal/ui/language-switch.ts'
import { exampleSession } from './example-session.ts'
import { PREVIEW_STEPS, type PreviewMessage, type PreviewStep, type Shown } from './messages.ts'

/**
 * The screens of the recording page with the values that a host is typing. It has no recorder and sends nothing: the policy of the
 * page forbids connections and the microphone.
 */
const screens: Record<PreviewStep, MakeScreen> = { welcome, consent, about, recording, thanks, closed }

const frame = h('div', { class: 'frame' })
;(document.getElementById('app') as HTMLElement).replaceChildren(frame)

const tell = (message: PreviewMessage): void => parent.postMessage(message, location.origin)

/** Without a microphone to ask for, the recording comes next; without anything to send, the thanks. */
const previewed = (step: Step): PreviewStep =>
  PREVIEW_STEPS.find((one) => one === step) ?? (step === 'microphone' ? 'recording' : 'thanks')

let t: Translate
let language: Language | null = null
let step: PreviewStep = 'welcome'
let session: App['session'] = null
let screen: Screen | null = null

const app = {
  project: null as unknown as Project,
  isKiosk: false,
  answers: {},
  prefilled: {},
  text: '',
  microphone: null,
  microphoneProblem: null,
  left: null,
  leftLater: [],
  draft: null,
  // No recordings wait on this device.
  queue: { size: 0, onChange: () => () => {} },
  outbox: { isDurable: true, save: async () => {} },
  get session() {
    return session
  },
  get t() {
    return t
  },
  get language() {
    return language ?? 'en'
  },
  get step() {
    return step
  },
  show: (next: Step) => goTo(previewed(next)),
  refresh: () => render(),
  restart: async () => goTo('welcome'),
  announce: () => {},
  setLanguage: async (next: Language) => {
    await use(next)
    render()
  },
} as unknown as App

function goTo(next: PreviewStep): void {
  step = next
  render()
  scrollTo(0, 0)
  tell({ kind: 'step', step })
}

function render(): void {
  screen?.leave?.()
  session = step === 'recording' || step === 'thanks' ? exampleSession() : null
  screen = screens[step](app)
  showScreen(frame, app, screen)
  // There is no microphone to measure.
  frame.querySelector<HTMLElement>('.level .fill')?.style.setProperty('--level', '0.55')
}

async function use(next: Language): Promise<void> {
  t = await loadLanguage(next)
  language = next
  applyLanguage(next)
}

async function show(shown: Shown): Promise<void> {
  const { project } = shown
  const hasOtherLanguages =
    app.project?.language !== project.language || String(app.project.languages) !== String(project.languages)
  const hasMoved = step !== shown.step
  app.project = project
  step = shown.step
  // A language that the host chose in the preview stays until the project's change.
  if (hasOtherLanguages || language === null) await use(chooseLanguage(project, navigator.languages))
  document.documentElement.removeAttribute('style')
  applyAccent(project.accent_colors)
  render()
  if (hasMoved) scrollTo(0, 0)
}

/** One after the other: a language takes a moment to load. */
let shown = Promise.resolve()

addEventListener('message', ({ origin, source, data }: MessageEvent<Shown>) => {
  // Only the page around this one, which the policy requires to be of the same origin.
  if (origin !== location.origin || source !== parent || data.kind !== 'show') return
  shown = shown.then(() => show(data))
})
tell({ kind: 'ready' })
