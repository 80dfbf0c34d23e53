import type { MakeScreen } from '../app.ts'
import { nextStep } from '../steps.ts'
import { button, field, writtenText } from '../ui/controls.ts'
import { h } from '../ui/element.ts'

/** The project's text, with a box that is never ticked in advance. */
export const consent: MakeScreen = (app) => {
  const { t, project } = app
  const box = h('input', { type: 'checkbox', required: true })
  const { element, setError } = field(t('consentTick'), box)
  element.classList.add('tick')
  box.addEventListener('change', () => setError(null))
  const goOn = () => {
    if (!box.checked) {
      setError(t('consentNeeded'))
      return box.focus()
    }
    app.answers.consent = true
    app.show(nextStep(project, 'consent'))
  }
  return {
    title: t('consentTitle'),
    content: [writtenText(project.consent_text ?? ''), element],
    actions: [button('primary', t('next'), goOn)],
    back: () => app.show('welcome'),
  }
}
