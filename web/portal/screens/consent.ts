import type { App, MakeScreen } from '../app.ts'
import { nextStep } from '../steps.ts'
import { button, field, privacyLink, writtenText } from '../ui/controls.ts'
import { h } from '../ui/element.ts'

/** The project's text, with a box that is never ticked in advance. */
export const consent: MakeScreen = (app) => {
  const { t, project } = app
  const box = h('input', { type: 'checkbox', required: true })
  const { element, setError } = field(t('consentTick'), box)
  element.classList.add('tick')
  box.addEventListener('change', () => setError(null))
  const showNext = () => {
    if (box.checked) return void agree(app)
    setError(t('consentNeeded'))
    box.focus()
  }
  return {
    title: t('consentTitle'),
    content: [
      writtenText(project.consent_text ?? ''),
      privacyLink(t('privacy'), project.privacy_url),
      element,
    ],
    actions: [button('primary', t('next'), showNext)],
    back: () => app.show(app.session ? 'sending' : 'welcome'),
  }
}

/** A recording that waits for this agreement, because the text changed after it was made, is sent. */
async function agree(app: App): Promise<void> {
  const { session, outbox, project } = app
  app.answers.consent = true
  if (!session) return app.show(nextStep(project, 'consent'))
  session.recording.answers.consent = true
  await outbox.save(session.recording)
  session.retry()
  app.show('sending')
}
