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
  const showNext = () => {
    if (session) return app.show('review')
    if (app.text.trim() !== '') return void send(app)
    setError(t('required'))
    input.focus()
  }
  return {
    title: t('textTitle'),
    content: [element, recordingTags(app)],
    actions: [
      session ? button('primary', t('next'), showNext) : button('primary', t('textSend'), showNext, 'sent'),
    ],
    back: () => app.show(session ? 'review' : 'microphone'),
    leave: draft.flush,
  }
}

async function send(app: App): Promise<void> {
  const text = app.text.trim()
  app.session = await Session.create(app.outbox, app.project, app.answers, app.draft)
  app.draft = null
  await app.session.finish(text)
  app.show('sending')
}
