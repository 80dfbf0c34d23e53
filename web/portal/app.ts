import type { Answers, Project } from './api.ts'
import {
  isRightToLeft,
  LANGUAGES,
  type Language,
  loadLanguage,
  type Translate,
} from './languages/languages.ts'
import type { Recording } from './outbox/outbox.ts'
import type { OverflowingOutbox } from './outbox/with-overflow.ts'
import type { MicrophoneProblem } from './recorder/microphone.ts'
import type { Session } from './session.ts'
import type { Step } from './steps.ts'
import { h } from './ui/element.ts'
import { icon } from './ui/icons.ts'

/** A screen: what it shows, and what happens when it is left. */
export interface Screen {
  title: string
  content: Node[]
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

/** What all screens share. */
export interface App {
  readonly project: Project
  readonly outbox: OverflowingOutbox
  readonly t: Translate
  readonly language: Language
  /** A shared tablet: after each recording it is ready for the next person. */
  readonly isKiosk: boolean
  answers: Answers
  /** The name, e-mail address and tags of the link. */
  readonly prefilled: Answers
  session: Session | null
  /** The microphone that was chosen and checked, until the recording takes it. */
  microphone: MediaStream | null
  /** Why there is no microphone; null if there is one, or none was asked for. */
  microphoneProblem: MicrophoneProblem | null
  left: LeftRecording | null
  show(step: Step): void
  /** Shows the current step again. */
  refresh(): void
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

export async function createApp({ root, screens, language: first, ...parts }: AppParts): Promise<App> {
  let language = first
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
    frame.dataset['step'] = step
    document.title = `${current.title} · ${parts.project.title ?? parts.project.name}`
    const heading = h('h1', { tabindex: -1 }, current.title)
    const actions = current.actions.length > 0 && h('div', { class: 'actions' }, ...current.actions)
    frame.replaceChildren(
      header(app, current.back),
      h('main', {}, heading, h('div', { class: 'content' }, ...current.content), actions),
    )
    scrollTo(0, 0)
    if (takesFocus) heading.focus({ preventScroll: true })
  }

  function applyLanguage(): void {
    document.documentElement.lang = language
    document.documentElement.dir = isRightToLeft(language) ? 'rtl' : 'ltr'
  }

  const app: App = {
    ...parts,
    answers: { ...parts.prefilled },
    session: null,
    microphone: null,
    microphoneProblem: null,
    left: null,
    refresh: () => render(true),
    get t() {
      return t
    },
    get language() {
      return language
    },
    show(next) {
      const isFirst = step === null
      step = next
      // The browser's own way back leads to the screen before, as the button does.
      if (!isFirst) history.pushState(null, '')
      render(!isFirst)
    },
    announce: (text) => {
      live.textContent = text
    },
    async setLanguage(next) {
      t = await loadLanguage(next)
      language = next
      applyLanguage()
      render(false)
    },
  }
  addEventListener('popstate', () => {
    const back = current?.back
    if (back) back()
    else history.pushState(null, '')
  })
  addEventListener('beforeunload', (event) => {
    if (app.session?.hasUnsent) event.preventDefault()
  })
  applyLanguage()
  return app
}

function header(app: App, back: (() => void) | undefined): HTMLElement {
  const { t, project } = app
  const name = project.organisation ?? project.name
  return h(
    'header',
    {},
    back &&
      h('button', { class: 'back', type: 'button', 'aria-label': t('back'), onclick: back }, icon('back')),
    project.logo_url
      ? h('img', { class: 'logo', src: project.logo_url, alt: name })
      : h('span', { class: 'organisation' }, h('bdi', {}, name)),
    languageSwitch(app),
  )
}

function languageSwitch(app: App): HTMLElement {
  const select = h(
    'select',
    {
      'aria-label': app.t('changeLanguage'),
      onchange: () => void app.setLanguage(select.value as Language),
    },
    ...Object.entries(LANGUAGES).map(([code, name]) =>
      h('option', { value: code, lang: code, selected: code === app.language }, name),
    ),
  )
  return h('label', { class: 'language' }, icon('globe'), select)
}
