import type { App, LeftRecording, MakeScreen, Screen } from '../app.ts'
import { erase } from '../erase.ts'
import { clockTime, lengthInWords } from '../languages/languages.ts'
import { isDraft } from '../left-recordings.ts'
import type { Recording } from '../outbox/outbox.ts'
import { saveFile } from '../save-file.ts'
import { Session } from '../session.ts'
import { button, confirm, paragraph, picture } from '../ui/controls.ts'

/** An earlier visit left a recording that the server does not have completely. */
export const resume: MakeScreen = (app) => {
  const { t, language } = app
  const left = app.left as LeftRecording
  const { recording, recordedMs } = left
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
    app.text = recording.draft ?? recording.text ?? ''
    app.answers = recording.answers
    app.session ??= await Session.reopen(app.outbox, recording)
  }
  const send = async () => {
    await reopen()
    await app.session?.finish(app.text.trim() || null)
    app.show('sending')
  }
  const resume = async () => {
    await reopen()
    app.show('microphone')
  }
  const foundText = t('resumeTextOnly', { date })
  if (isDraft(left)) return draftScreen(app, recording, foundText)
  const found = t('resumeText', { time: clockTime(recordedMs), date })
  if (recordedMs === 0) return textScreen(app, recording, foundText, reopen, () => void send())
  if (recording.missingMs !== undefined) return partScreen(app, recording, found, () => void send())
  return {
    title: t('resumeTitle'),
    content: [picture('phone'), paragraph(found)],
    actions: [
      button('primary', t('resumeSend'), () => void send(), 'sent'),
      ...(acceptsMore(app, recording)
        ? [button('secondary', t('resumeContinue'), () => void resume(), 'microphone')]
        : []),
      button('quiet', t('resumeDelete'), () => void remove(app, reopen)),
    ],
  }
}

/** A closed project accepts the rest of a conversation, but does not start one. */
const acceptsMore = ({ project }: App, { started }: Recording): boolean => project.is_open || started !== null

/** A text that was finished and waits to be sent. */
function textScreen(
  app: App,
  recording: Recording,
  found: string,
  reopen: () => Promise<void>,
  send: () => void,
): Screen {
  const { t } = app
  const change = async () => {
    await reopen()
    app.show('text')
  }
  const discard = async () => {
    const asked = confirm(t('resumeDraftDelete'), found, t('reviewRemoveConfirm'), t('cancel'))
    if (!(await asked)) return
    await reopen()
    if (await erase(app)) await app.restart()
  }
  return {
    title: t('resumeTextTitle'),
    content: [picture('text'), paragraph(found)],
    actions: [
      button('primary', t('textSend'), send, 'sent'),
      ...(acceptsMore(app, recording)
        ? [button('secondary', t('resumeWrite'), () => void change(), 'text')]
        : []),
      button('quiet', t('reviewRemove'), () => void discard()),
    ],
  }
}

function draftScreen(app: App, draft: Recording, found: string): Screen {
  const { t } = app
  const resume = () => {
    Object.assign(app, { draft, answers: draft.answers, text: draft.draft ?? '' })
    app.show('text')
  }
  const discard = async () => {
    const asked = confirm(t('resumeDraftDelete'), found, t('reviewRemoveConfirm'), t('cancel'))
    if (!(await asked)) return
    await app.outbox.remove(draft.id)
    await app.restart()
  }
  return {
    title: t('resumeDraftTitle'),
    content: [picture('text'), paragraph(found)],
    actions: [
      button('primary', t('resumeWrite'), resume, 'text'),
      button('quiet', t('reviewRemove'), () => void discard()),
    ],
  }
}

/** The conversation is finished, and the server has refused a part of it. */
function partScreen(app: App, recording: Recording, found: string, send: () => void): Screen {
  const { t } = app
  const discard = async () => {
    const texts = [t('reviewRemoveTitle'), t('resumePartDelete'), t('reviewRemoveConfirm')] as const
    if (!(await confirm(...texts, t('cancel')))) return
    await app.outbox.remove(recording.id)
    await app.restart()
  }
  const received = t('thanksExcept', { time: lengthInWords(app.language, recording.missingMs ?? 0) })
  return {
    title: t('resumePartTitle'),
    content: [picture('phone'), paragraph(received), paragraph(found), paragraph(t('errorRefusedHelp'))],
    actions: [
      button('primary', t('tryAgain'), send, 'sent'),
      button('secondary', t('saveFile'), () => void saveFile(app.outbox, recording)),
      button('quiet', t('resumeDelete'), () => void discard()),
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
