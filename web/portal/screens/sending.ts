import { readProject } from '../api.ts'
import type { App, MakeScreen, Screen } from '../app.ts'
import { erase } from '../erase.ts'
import type { TextKey } from '../languages/texts.ts'
import { saveFile } from '../save-file.ts'
import type { Session } from '../session.ts'
import { button, confirmRemoval, notice, paragraph, picture } from '../ui/controls.ts'
import { h, setText } from '../ui/element.ts'
import { handOver } from './hand-over.ts'
import { keptIn, keptOnKiosk } from './not-received.ts'
import { wordsAbout } from './text-or-recording.ts'

/** Waits until the server has everything, and says how far it is. */
export const sending: MakeScreen = (app) => {
  const session = app.session as Session
  const { sending: state } = session.state
  return state.kind === 'refused' ? refused(app, session, state.code) : inProgress(app, session)
}

/** On a shared device, the next person does not wait longer than this. */
const SLOW_MS = 10_000

const SERVER_AWAY = ['errorServer', 'errorServerHelp'] as const
const OFFLINE = ['errorOffline', 'errorOfflineHelp'] as const

function inProgress(app: App, session: Session): Screen {
  const { t } = app
  const title = t(wordsAbout(session, 'sendingTitle'))
  const progress = h('progress', { 'aria-label': title })
  const count = h('p', { role: 'status' })
  const keepOpen = paragraph(t('sendingKeepOpen'))
  const trouble = h('div')
  const more = h('div', { class: 'more' })
  const slow = app.isKiosk ? setTimeout(() => more.replaceChildren(nextPerson(app)), SLOW_MS) : undefined
  const update = () => {
    const { sending: state, chunks, sentChunks } = session.state
    if (chunks > 0) {
      progress.max = chunks
      progress.value = sentChunks
      setText(count, t('sendingProgress', { sent: sentChunks, all: chunks }))
    }
    if (app.isKiosk && state.kind === 'waiting') return app.show('kept')
    const problem = state.kind === 'waiting' ? (navigator.onLine ? SERVER_AWAY : OFFLINE) : null
    const kept = problem ? keptIn(app) : ''
    const shown = problem?.[0] ?? ''
    const { shown: shownBefore = '', kept: keptBefore = '' } = trouble.dataset
    if (shownBefore === shown && keptBefore === kept) return
    Object.assign(trouble.dataset, { shown, kept })
    // A recording on the device can be sent later, as the text below says.
    keepOpen.hidden = problem !== null && app.outbox.isDurable
    trouble.replaceChildren(...(problem ? [notice(t(problem[0]), t(problem[1]), kept)] : []))
    more.replaceChildren(
      ...(problem
        ? [
            button('secondary', t('tryAgain'), () => session.retry()),
            button(
              'quiet',
              t(wordsAbout(session, 'saveFile')),
              () => void saveFile(app.outbox, session.recording),
            ),
          ]
        : []),
    )
  }
  const stopFollowing = follow(app, session, 'progress', update)
  return {
    title,
    content: [progress, count, keepOpen, trouble, more],
    actions: [],
    leave: () => {
      clearTimeout(slow)
      stopFollowing()
    },
  }
}

const nextPerson = (app: App): HTMLElement => button('secondary', app.t('kioskNow'), () => void handOver(app))

const WITHDRAWN: [TextKey, TextKey] = ['errorWithdrawn', 'errorWithdrawnHelp']
const REJECTION_TEXTS: Record<string, [title: TextKey, help: TextKey]> = {
  closed: ['errorClosed', 'errorClosedUnsent'],
  limit_reached: ['errorLimit', 'errorLimitHelp'],
  consent_required: ['errorConsentChanged', 'errorConsentChangedHelp'],
  project_deleted: ['errorProjectDeleted', 'errorProjectDeletedHelp'],
  not_found: WITHDRAWN,
  participant_token_rejected: WITHDRAWN,
}

/** Repeating does not help: says why, and what does. */
function refused(app: App, session: Session, code: string): Screen {
  const { t } = app
  const [title, help] = REJECTION_TEXTS[code] ?? ['errorRefused', 'errorRefusedHelp']
  const isUpToParticipant = title === 'errorConsentChanged' || title === 'errorWithdrawn'
  // A file would stay on a shared device.
  const save = (kind: 'primary' | 'secondary' | 'quiet') =>
    app.isKiosk
      ? nextPerson(app)
      : button(kind, t(wordsAbout(session, 'saveFile')), () => void saveFile(app.outbox, session.recording))
  const retry = (kind: 'primary' | 'secondary') => button(kind, t('tryAgain'), () => session.retry())
  const isDeleted = title === 'errorProjectDeleted'
  const actions =
    isDeleted && app.isKiosk
      ? [nextPerson(app)]
      : isDeleted
        ? [save('primary'), button('quiet', t('reviewRemove'), () => void confirmForget(app, session))]
        : title === 'errorClosed' && !app.isKiosk
          ? [save('primary'), retry('secondary')]
          : title === 'errorConsentChanged'
            ? [button('primary', t('consentRead'), () => void readConsent(app)), save('quiet')]
            : title === 'errorWithdrawn'
              ? [
                  button('primary', t(wordsAbout(session, 'resumeDelete')), () => void forget(app)),
                  save('quiet'),
                ]
              : [retry('primary'), save('quiet')]
  return {
    title: t(wordsAbout(session, title)),
    content: [
      picture('warning'),
      h(
        'p',
        { role: 'alert' },
        app.isKiosk && !isUpToParticipant ? keptOnKiosk(app) : t(wordsAbout(session, help)),
      ),
      title === 'errorWithdrawn' || isDeleted || app.isKiosk
        ? null
        : paragraph(keptIn(app, title === 'errorClosed' ? 'keptWhileClosed' : 'keptOnDevice'), 'soft'),
    ],
    actions,
    leave: follow(app, session, 'refused', () => {}),
  }
}

/** Shows the other screen when sending is refused or continues, and the thanks at its end. */
function follow(app: App, session: Session, shown: 'progress' | 'refused', update: () => void): () => void {
  let isOver = false
  const check = () => {
    const { kind } = session.state.sending
    if (isOver) return
    if (kind === 'finished') {
      isOver = true
      void finished(app, session)
    } else if ((kind === 'refused') !== (shown === 'refused')) {
      isOver = true
      app.refresh()
    } else update()
  }
  const stopListening = session.onChange(check)
  // After the screen is shown.
  queueMicrotask(check)
  return () => {
    isOver = true
    stopListening()
  }
}

async function finished(app: App, session: Session): Promise<void> {
  // A part that the server refuses stays here, to be sent again or saved.
  if (session.end?.isKept) session.stopRecorder()
  else {
    session.dispose()
    await app.outbox.remove(session.recording.id)
  }
  app.text = ''
  app.show('thanks')
}

/** The page has the text of the time when it was opened. */
async function readConsent(app: App): Promise<void> {
  app.project = await readProject(app.project.id).catch(() => app.project)
  app.show('consent')
}

/** Asks first: the server can have nothing of it. */
async function confirmForget(app: App, session: Session): Promise<void> {
  if (await confirmRemoval(app.t, session.isText)) await forget(app)
}

async function forget(app: App): Promise<void> {
  if (await erase(app)) await app.restart()
}
