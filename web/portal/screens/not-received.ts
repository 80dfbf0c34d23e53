import type { App } from '../app.ts'
import { lengthInWords } from '../languages/languages.ts'
import { saveFile } from '../save-file.ts'
import type { Session } from '../session.ts'
import { button, notice } from '../ui/controls.ts'
import { h } from '../ui/element.ts'
import { lostText } from '../ui/sending-state.ts'
import { wordsAbout } from './text-or-recording.ts'

/** Where the recording is that was not sent yet, and how it can be sent later. */
export function keptIn(app: App, onDevice: 'keptOnDevice' | 'keptWhileClosed' = 'keptOnDevice'): string {
  const { t, outbox, session } = app
  const { recordedMs = 0, sentMs = 0, lostMs = 0 } = session?.state ?? {}
  if (lostMs === 0) return t(wordsAbout(session, outbox.isDurable ? onDevice : 'keptInPage'))
  const isAnyLeft = recordedMs - sentMs > lostMs || session?.recording.text !== null
  return [
    lostText(app, lostMs),
    ...(isAnyLeft ? [t(outbox.isDurable ? 'keptRest' : 'keptInPage')] : []),
  ].join(' ')
}

/** Says how much of a finished recording the server does not have, and what can be done about it. Null if it has everything. */
export function notReceived(app: App, session: Session): HTMLElement | null {
  const { t, isKiosk } = app
  const { missingMs, isKept } = session.end ?? { missingMs: 0, isKept: false }
  if (missingMs === 0) return null
  const title = t('thanksExcept', { time: lengthInWords(app.language, missingMs) })
  if (!isKept) return notice(title)
  // A file would stay on a shared device.
  if (isKiosk) return notice(title, keptOnKiosk(app))
  const retry = () => {
    session.retry()
    app.show('sending')
  }
  return h(
    'div',
    {},
    notice(title, t('errorRefusedHelp'), keptIn(app)),
    h(
      'div',
      { class: 'more' },
      button('secondary', t('tryAgain'), retry),
      button('quiet', t('saveFile'), () => void saveFile(app.outbox, session.recording)),
    ),
  )
}

/** A recording that a shared device could not send. It must not say that nothing is lost if something is. */
export function keptOnKiosk(app: App): string {
  const { lostMs = 0 } = app.session?.state ?? {}
  return lostMs > 0 ? keptIn(app) : app.t('kioskRefused')
}
