import type { App } from '../app.ts'
import { lengthInWords } from '../languages/languages.ts'
import { saveFile } from '../save-file.ts'
import type { Session } from '../session.ts'
import { button, notice } from '../ui/controls.ts'
import { h } from '../ui/element.ts'

/** Where the recording is that was not sent yet, and how it can be sent later. */
export const keptIn = (
  { t, outbox }: App,
  onDevice: 'keptOnDevice' | 'keptWhileClosed' = 'keptOnDevice',
): string => t(outbox.isDurable ? onDevice : 'keptInPage')

/** Says how much of a finished recording the server does not have, and what can be done about it. Null if it has everything. */
export function notReceived(app: App, session: Session): HTMLElement | null {
  const { t, isKiosk } = app
  const { missingMs, isKept } = session.end ?? { missingMs: 0, isKept: false }
  if (missingMs === 0) return null
  const title = t('thanksExcept', { time: lengthInWords(app.language, missingMs) })
  if (!isKept) return notice(title)
  // A file would stay on a shared device.
  if (isKiosk) return notice(title, t('kioskRefused'))
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
