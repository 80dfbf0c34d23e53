import type { App, LeftRecording, MakeScreen } from '../app.ts'
import { erase } from '../erase.ts'
import { clockTime } from '../languages/languages.ts'
import { Session } from '../session.ts'
import { button, confirm, paragraph, picture } from '../ui/controls.ts'

/** An earlier visit left a recording that the server does not have completely. */
export const resume: MakeScreen = (app) => {
  const { t, language } = app
  const { recording, recordedMs } = app.left as LeftRecording
  // As people write dates where they live, in the language of the page.
  const region = navigator.languages.find((tag) => tag.startsWith(language)) ?? language
  const format = new Intl.DateTimeFormat(region, {
    dateStyle: 'long',
    timeStyle: 'short',
    // The length of the recording beside it has these digits, too.
    numberingSystem: 'latn',
  })
  const date = format.format(recording.startedAt)
  const reopen = async () => {
    app.session ??= await Session.reopen(app.outbox, recording)
    app.answers = recording.answers
  }
  const send = async () => {
    await reopen()
    await app.session?.finish()
    app.show('sending')
  }
  const goOn = async () => {
    await reopen()
    app.show('microphone')
  }
  // The person in front of a shared device is not the one who recorded.
  if (app.isKiosk) queueMicrotask(() => void send())
  return {
    title: t('resumeTitle'),
    content: [
      picture('phone'),
      paragraph(
        recordedMs === 0
          ? t('resumeTextOnly', { date })
          : t('resumeText', { time: clockTime(recordedMs), date }),
      ),
    ],
    actions: app.isKiosk
      ? []
      : [
          button('primary', t('resumeSend'), () => void send(), 'sent'),
          button('secondary', t('resumeContinue'), () => void goOn(), 'microphone'),
          button('quiet', t('resumeDelete'), () => void remove(app, reopen)),
        ],
  }
}

async function remove(app: App, reopen: () => Promise<void>): Promise<void> {
  const { t } = app
  if (!(await confirm(t('reviewRemoveTitle'), t('reviewRemoveText'), t('reviewRemoveConfirm'), t('cancel'))))
    return
  await reopen()
  if (await erase(app)) await app.restart()
}
