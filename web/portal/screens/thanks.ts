import type { App, MakeScreen } from '../app.ts'
import type { Session } from '../session.ts'
import { button, paragraph, writtenText } from '../ui/controls.ts'
import { h, setText } from '../ui/element.ts'
import { icon } from '../ui/icons.ts'

/** On a shared device: long enough to copy the link, short enough for the next person. */
const KIOSK_SECONDS = 30

export const thanks: MakeScreen = (app) => {
  const { t, project } = app
  const { started } = (app.session as Session).recording
  const link = started?.withdraw_url ?? ''
  const timer = app.isKiosk ? startCountdown(app) : null
  return {
    title: t('thanksTitle'),
    content: [
      h('p', { class: 'received' }, icon('check'), t('thanksReceived')),
      project.finish_text ? writtenText(project.finish_text) : h('span'),
      started?.code
        ? h(
            'section',
            { class: 'card' },
            h('h2', {}, t('thanksCode')),
            h('p', { class: 'code' }, started.code),
            paragraph(t('thanksCodeWhy')),
          )
        : h('span'),
      h(
        'section',
        { class: 'card' },
        h('h2', {}, t('thanksWithdraw')),
        paragraph(t('thanksWithdrawWhy')),
        h('p', { class: 'link' }, h('a', { href: link }, link.split('#')[0] ?? '')),
        h('div', { class: 'more' }, ...linkActions(app, link)),
      ),
      timer?.element ?? h('span'),
    ],
    actions: [button('primary', t(app.isKiosk ? 'kioskNow' : 'thanksAnother'), () => another(app))],
    ...(timer && { leave: timer.stop }),
  }
}

function another(app: App): void {
  app.session = null
  app.answers = { ...app.prefilled }
  app.show('welcome')
}

function linkActions({ t }: App, link: string): HTMLElement[] {
  const copy = button('secondary', t('thanksCopy'), () => {
    const label = copy.querySelector('span') as HTMLElement
    void navigator.clipboard?.writeText(link).then(() => setText(label, t('thanksCopied')))
  })
  const canShare = typeof navigator.share === 'function'
  const share = button('quiet', t('thanksShare'), () => void navigator.share({ url: link }).catch(() => {}))
  const query = new URLSearchParams({ subject: t('thanksMailSubject'), body: link })
    .toString()
    .replaceAll('+', '%20')
  const mail = h('a', { class: 'quiet', href: `mailto:?${query}` }, t('thanksMail'))
  return [copy, canShare ? share : mail]
}

function startCountdown(app: App) {
  let left = KIOSK_SECONDS
  const element = paragraph(app.t('kioskNext', { seconds: left }))
  const timer = setInterval(() => {
    left -= 1
    setText(element, app.t('kioskNext', { seconds: left }))
    if (left === 0) another(app)
  }, 1_000)
  return { element, stop: () => clearInterval(timer) }
}
