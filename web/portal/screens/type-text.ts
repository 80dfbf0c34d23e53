import type { MakeScreen } from '../app.ts'
import { Session } from '../session.ts'
import { button, field } from '../ui/controls.ts'
import { h } from '../ui/element.ts'
import { tagChoice } from '../ui/tag-choice.ts'

const MAX_TEXT = 100_000

/** For those who cannot or do not want to speak. */
export const typeText: MakeScreen = (app) => {
  const { t } = app
  const input = h('textarea', { rows: 8, maxlength: MAX_TEXT, dir: 'auto' })
  const { element, setError } = field(t('textLabel'), input)
  input.addEventListener('input', () => setError(null))
  const send = async () => {
    const text = input.value.trim()
    if (text === '') {
      setError(t('required'))
      return input.focus()
    }
    app.session = await Session.create(app.outbox, app.project, app.answers)
    await app.session.finish(text)
    app.show('sending')
  }
  return {
    title: t('textTitle'),
    content: [element, tagChoice(app) ?? h('span')],
    actions: [button('primary', t('textSend'), () => void send(), 'sent')],
    back: () => app.show('microphone'),
  }
}
