import type { App, MakeScreen } from '../app.ts'
import { draftKeeper } from '../draft.ts'
import { Session } from '../session.ts'
import { button, field } from '../ui/controls.ts'
import { h } from '../ui/element.ts'
import { recordingTags } from './recording-tags.ts'

const MAX_TEXT = 100_000

/** For those who cannot or do not want to speak, or want to add something in writing. */
export const typeText: MakeScreen = (app) => {
  const { t, session } = app
  const input = h('textarea', { rows: 8, maxlength: MAX_TEXT, dir: 'auto' })
  input.value = app.text
  const { element, setError } = field(t('textLabel'), input)
  const draft = draftKeeper(app)
  input.addEventListener('input', () => {
    app.text = input.value
    draft.keep()
    setError(null)
  })
  const isAddition = session !== null && session.state.recordedMs > 0
  let isSent = false
  const showNext = () => {
    if (isAddition) return app.show('review')
    if (app.text.trim() !== '') {
      // A second press must not start a second conversation.
      if (!isSent) void send(app)
      isSent = true
      return
    }
    setError(t('required'))
    input.focus()
  }
  return {
    title: t('textTitle'),
    content: [element, recordingTags(app)],
    actions: [
      isAddition
        ? button('primary', t('next'), showNext)
        : button('primary', t('textSend'), showNext, 'sent'),
    ],
    back: () => app.show(isAddition ? 'review' : session && app.left ? 'resume' : 'microphone'),
    leave: draft.flush,
  }
}

async function send(app: App): Promise<void> {
  const text = app.text.trim()
  app.session ??= await Session.create(app.outbox, app.project, app.answers, app.draft)
  app.draft = null
  await app.session.finish(text)
  app.show('sending')
}
