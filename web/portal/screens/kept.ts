import type { MakeScreen } from '../app.ts'
import type { Session } from '../session.ts'
import { button, notice, paragraph } from '../ui/controls.ts'
import { h } from '../ui/element.ts'
import { icon } from '../ui/icons.ts'
import { lostText } from '../ui/sending-state.ts'
import { handOver } from './hand-over.ts'
import { wordsAbout } from './text-or-recording.ts'
import { receipt, startCountdown } from './thanks.ts'

/** On a shared device without a connection: the recording stays here and is sent later, so that the next person does not wait. */
export const kept: MakeScreen = (app) => {
  const { t } = app
  const session = app.session as Session
  const { started } = session.recording
  const { lostMs } = session.state
  const next = () => void handOver(app)
  const timer = startCountdown(app, next)
  const stopListening = session.onChange(() => {
    const { kind } = session.state.sending
    if (kind === 'finished' || kind === 'refused') app.show('sending')
  })
  return {
    title: t('thanksTitle'),
    content: [
      h(
        'div',
        { class: 'column' },
        lostMs > 0
          ? notice(lostText(app, lostMs))
          : h(
              'p',
              { class: 'received' },
              icon('phone'),
              t(wordsAbout(session, app.outbox.isDurable ? 'kioskKept' : 'keptInPage')),
            ),
        paragraph(t('kioskKeptNext')),
        timer.element,
      ),
      started && h('div', { class: 'column' }, ...receipt(app, started)),
    ],
    actions: [button('primary', t('kioskNow'), next)],
    leave: () => {
      timer.stop()
      stopListening()
    },
  }
}
