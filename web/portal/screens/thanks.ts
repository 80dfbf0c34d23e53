import type { Started } from '../api.ts'
import type { App, MakeScreen } from '../app.ts'
import type { Session } from '../session.ts'
import { button, paragraph, writtenText } from '../ui/controls.ts'
import { h, setText } from '../ui/element.ts'
import { icon } from '../ui/icons.ts'
import { showQrCode } from '../ui/withdrawal-qr-code.ts'
import { handOver } from './hand-over.ts'
import { notReceived } from './not-received.ts'
import { wordsAbout } from './text-or-recording.ts'

/** On a shared device: long enough to scan the code, short enough for the next person. */
const KIOSK_SECONDS = 30

export const thanks: MakeScreen = (app) => {
  const { t, project } = app
  const session = app.session as Session
  const { started } = session.recording
  const next = () => void leave(app, session)
  const timer = app.isKiosk ? startCountdown(app, next) : null
  return {
    title: t('thanksTitle'),
    content: [
      h(
        'div',
        { class: 'column' },
        notReceived(app, session) ??
          h('p', { class: 'received' }, icon('check'), t(wordsAbout(session, 'thanksReceived'))),
        project.finish_text ? writtenText(project.finish_text) : null,
        timer?.element,
      ),
      h('div', { class: 'column' }, ...(started ? receipt(app, started) : [])),
    ],
    actions: [button('primary', t(app.isKiosk ? 'kioskNow' : 'thanksAnother'), next)],
    ...(timer && { leave: timer.stop }),
  }
}

/** A part that the server has refused is sent again later: in the background, or when this participant asks for it. */
async function leave(app: App, session: Session): Promise<void> {
  if (!session.end?.isKept) return app.restart()
  if (app.isKiosk) return handOver(app)
  session.dispose()
  await app.restart()
  app.leftLater.push({ recording: session.recording, recordedMs: session.state.recordedMs })
}

/** On a shared device the code to scan is first: below the other one, the actions would cover its end on an upright tablet. */
export function receipt(app: App, started: Started): (HTMLElement | null)[] {
  const parts = [receiptCode(app, started), withdrawal(app, started.withdraw_url)]
  return app.isKiosk ? parts.reverse() : parts
}

const receiptCode = ({ t, session }: App, started: Started): HTMLElement | null =>
  started.code
    ? h(
        'section',
        { class: 'card' },
        h('h2', {}, t('thanksCode')),
        h('p', { class: 'code' }, started.code),
        paragraph(t(wordsAbout(session, 'thanksCodeWhy'))),
      )
    : null

/** On a shared device the link goes to the participant's phone, and neither to its clipboard nor to its mail. */
function withdrawal(app: App, link: string): HTMLElement {
  const { t, isKiosk, session } = app
  const why = t(wordsAbout(session, 'thanksWithdrawWhy'))
  const words = [h('h2', {}, t('thanksWithdraw')), paragraph(why)]
  if (isKiosk) {
    const code = h('div', { class: 'qr' })
    void showQrCode(code, link, t('thanksWithdraw'))
    return h('section', { class: 'card scan' }, ...words, paragraph(t('thanksScan')), code)
  }
  const shown = h('p', { class: 'link' }, h('a', { href: link }, shownLink(link)))
  return h(
    'section',
    { class: 'card' },
    ...words,
    shown,
    h('div', { class: 'more' }, ...linkActions(app, link)),
  )
}

/** Without its long secret part, unless that has to be copied by hand. */
const shownLink = (link: string): string => (canCopy() ? (link.split(/[?#]/)[0] ?? '') : link)

/** Browsers let only pages with https write to the clipboard. */
const canCopy = (): boolean => navigator.clipboard !== undefined

function linkActions({ t, announce, session }: App, link: string): (HTMLElement | null)[] {
  const copy = button('secondary', t('thanksCopy'), () => {
    void navigator.clipboard.writeText(link).then(() => {
      setText(copy.querySelector('span') as HTMLElement, t('thanksCopied'))
      announce(t('thanksCopied'))
    })
  })
  const share = button('quiet', t('thanksShare'), () => void navigator.share({ url: link }).catch(() => {}))
  const subject = t(wordsAbout(session, 'thanksMailSubject'))
  const query = new URLSearchParams({ subject, body: link }).toString().replaceAll('+', '%20')
  const mail = h('a', { class: 'quiet', href: `mailto:?${query}` }, t('thanksMail'))
  return [canCopy() ? copy : null, typeof navigator.share === 'function' ? share : null, mail]
}

export function startCountdown(app: App, onEnd: () => void) {
  let left = KIOSK_SECONDS
  // Said once, not every second.
  const element = h('p', { class: 'countdown', role: 'timer' }, app.t('kioskNext', { seconds: left }))
  const timer = setInterval(() => {
    left -= 1
    setText(element, app.t('kioskNext', { seconds: left }))
    if (left > 0) return
    clearInterval(timer)
    onEnd()
  }, 1_000)
  return { element, stop: () => clearInterval(timer) }
}
