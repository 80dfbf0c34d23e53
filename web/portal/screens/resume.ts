import type { App, LeftRecording, MakeScreen } from '../app.ts'
import { erase } from '../erase.ts'
import { clockTime } from '../languages/languages.ts'
import { Session } from '../session.ts'
import { button, confirm, paragraph } from '../ui/controls.ts'

/** An earlier visit left a recording that the server does not have completely. */
export const resume: MakeScreen = (app) => {
  const { t, language } = app
  const { recording, recordedMs } = app.left as LeftRecording
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
  const date = format.format(recording.startedAt)
  const reopen = async () => {
    app.session ??= await Session.reopen(app.outbox, recording)
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
  return {
    title: t('resumeTitle'),
    content: [paragraph(t('resumeText', { time: clockTime(recordedMs), date }))],
    actions: [
      button('primary', t('resumeSend'), () => void send(), 'sent'),
      button('secondary', t('resumeContinue'), () => void goOn(), 'microphone'),
      button('quiet', t('resumeDelete'), () => void remove(app, reopen)),
    ],
  }
}

async function remove(app: App, reopen: () => Promise<void>): Promise<void> {
  const { t } = app
  const texts = [
    t('reviewRemoveTitle'),
    t('reviewRemoveText'),
    t('reviewRemoveConfirm'),
    t('cancel'),
  ] as const
  if (!(await confirm(...texts))) return
  await reopen()
  if (await erase(app)) app.show('welcome')
}
