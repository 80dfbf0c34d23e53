import { type Answers, type Project, RequestRejected, readProject } from './api.ts'
import { watchIdle } from './kiosk.ts'
import { type Language, loadLanguage, type Translate } from './languages/languages.ts'
import type { Recording } from './outbox/outbox.ts'
import { createQueue, type Queue } from './outbox/queue.ts'
import type { OverflowingOutbox } from './outbox/with-overflow.ts'
import { closeMicrophone, type MicrophoneProblem } from './recorder/microphone.ts'
import type { Session } from './session.ts'
import type { Step } from './steps.ts'
import { h } from './ui/element.ts'
import { header } from './ui/header.ts'
import { applyLanguage } from './ui/language-switch.ts'

/** A screen: what it shows, and what happens when it is left. */
export interface Screen {
  title: string
  /** A line above the title. */
  kicker?: string | null
  content: (Node | null)[]
  /** The one or two things to do next, at the bottom, where a thumb reaches. */
  actions: HTMLElement[]
  /** Where the way back leads; none during a recording. */
  back?: () => void
  leave?: () => void
}

export type MakeScreen = (app: App) => Screen

/** A recording that an earlier visit left. */
export interface LeftRecording {
  recording: Recording
  recordedMs: number
}

/** The state that all screens share. */
export interface App {
  /** Read again when its consent text has changed. */
  project: Project
  readonly outbox: OverflowingOutbox
  readonly t: Translate
  readonly language: Language
  readonly step: Step | null
  /** A shared tablet: after each recording it is ready for the next person. */
  readonly isKiosk: boolean
  answers: Answers
  /** The name, e-mail address and tags of the link. */
  readonly prefilled: Answers
  /** Typed text that is not sent yet. */
  text: string
  session: Session | null
  /** Recordings of earlier participants of a shared device. */
  readonly queue: Queue
  /** Keeps the text on this device while there is no session. */
  draft: Recording | null
  /** The microphone that was chosen and checked, until the recording takes it. */
  microphone: MediaStream | null
  /** Why there is no microphone; null if there is one, or none was asked for. */
  microphoneProblem: MicrophoneProblem | null
  left: LeftRecording | null
  /** Further ones, which are offered after this participant. */
  readonly leftLater: LeftRecording[]
  show(step: Step): void
  /** Shows the current step again. */
  refresh(): void
  /** Forgets this participant and begins again. */
  restart(): Promise<void>
  /** Says something to screen readers. */
  announce(text: string): void
  setLanguage(language: Language): Promise<void>
}

interface AppParts {
  root: HTMLElement
  project: Project
  outbox: OverflowingOutbox
  language: Language
  isKiosk: boolean
  prefilled: Answers
  screens: Record<Step, MakeScreen>
}

/** How long the welcome screen waits for the current texts of the project. */
const READ_AGAIN_MS = 2_000

/** Puts a screen into the frame. Returns its heading. */
export function showScreen(frame: HTMLElement, app: App, screen: Screen): HTMLElement {
  const { title, kicker, content, actions, back } = screen
  frame.dataset['step'] = app.step ?? ''
  const heading = h('h1', { tabindex: -1 }, title)
  frame.replaceChildren(
    header({ t: app.t, project: app.project, back, setLanguage: (next) => void app.setLanguage(next) }),
    h(
      'main',
      {},
      kicker && h('p', { class: 'kicker', dir: 'auto' }, kicker),
      heading,
      h('div', { class: 'content' }, ...content),
      actions.length > 0 && h('div', { class: 'actions' }, ...actions),
    ),
  )
  return heading
}

export async function createApp({ root, screens, language: initial, ...parts }: AppParts): Promise<App> {
  let language = initial
  let t = await loadLanguage(language)
  let current: Screen | null = null
  let step: Step | null = null
  const live = h('p', { class: 'visually-hidden', role: 'status', 'aria-live': 'polite' })
  const frame = h('div', { class: 'frame' })
  root.replaceChildren(frame, live)

  function render(takesFocus: boolean): void {
    if (step === null) return
    current?.leave?.()
    current = screens[step](app)
    document.title = `${current.title} · ${app.project.title ?? app.project.name}`
    const heading = showScreen(frame, app, current)
    scrollTo(0, 0)
    if (takesFocus) heading.focus({ preventScroll: true })
  }

  async function switchTo(next: Language): Promise<void> {
    t = await loadLanguage(next)
    language = next
    applyLanguage(language)
  }

  const app: App = {
    ...parts,
    answers: { ...parts.prefilled },
    text: '',
    session: null,
    queue: createQueue(parts.outbox),
    draft: null,
    microphone: null,
    microphoneProblem: null,
    left: null,
    leftLater: [],
    refresh: () => render(true),
    get t() {
      return t
    },
    get language() {
      return language
    },
    get step() {
      return step
    },
    show(next) {
      const isFirst = step === null
      step = next
      // The browser's own way back leads to the screen before, as the button does.
      if (!isFirst) history.pushState(null, '')
      render(!isFirst)
    },
    async restart() {
      closeMicrophone(app.microphone)
      const nothing = { session: null, draft: null, microphone: null, microphoneProblem: null }
      Object.assign(app, nothing, { text: '', left: app.leftLater.shift() ?? null })
      app.answers = { ...parts.prefilled }
      const shown = step
      const hasOtherLanguage = language !== initial
      // The next person at a shared device has not chosen a language.
      if (app.isKiosk) await switchTo(initial)
      // A kiosk is open all day: in the meantime the host can change the texts, or close or delete the project.
      const known = app.project
      const reading = readProject(known.id).catch((error: unknown) =>
        error instanceof RequestRejected ? { ...known, is_open: false } : known,
      )
      const later = new Promise<Project>((resolve) => setTimeout(() => resolve(known), READ_AGAIN_MS))
      const first = (project: Project) => {
        const next = app.left ? 'resume' : project.is_open ? 'welcome' : 'closed'
        const isShown =
          next === shown && next === step && JSON.stringify(project) === JSON.stringify(app.project)
        app.project = project
        if (!isShown || hasOtherLanguage) app.show(next)
      }
      first(await Promise.race([reading, later]))
      void reading.then((project) => project !== app.project && app.step === 'welcome' && first(project))
    },
    announce: (text) => {
      live.textContent = text
    },
    async setLanguage(next) {
      await switchTo(next)
      const url = new URL(location.href)
      url.searchParams.set('lang', next)
      if (!app.isKiosk) history.replaceState(null, '', url)
      render(false)
      frame.querySelector<HTMLElement>('.language select')?.focus()
    },
  }
  addEventListener('popstate', () => {
    const back = current?.back
    if (back) back()
    else history.pushState(null, '')
  })
  addEventListener('beforeunload', (event) => {
    const isInMemory = !app.outbox.isDurable && app.queue.size + app.leftLater.length > 0
    if (app.session?.hasUnsent || isInMemory) event.preventDefault()
  })
  applyLanguage(language)
  if (app.isKiosk) watchIdle(app)
  return app
}
