import type { MakeScreen } from '../app.ts'
import { nextStep } from '../steps.ts'
import { button, paragraph, privacyLink, writtenText } from '../ui/controls.ts'
import { h, setText } from '../ui/element.ts'

/** Shows the organisation that asks, the subject, and what happens with the recording. */
export const welcome: MakeScreen = (app) => {
  const { t, project, queue } = app
  const organisation = project.organisation ?? project.name
  const how = h(
    'div',
    { class: 'column' },
    h('h2', {}, t('welcomeHow')),
    h(
      'ol',
      { class: 'steps' },
      h('li', {}, t('welcomeStepSpeak')),
      h('li', {}, t('welcomeStepText', { organisation })),
      h('li', {}, t('welcomeStepWithdraw')),
    ),
    paragraph(t('welcomeNoAccount'), 'soft'),
    privacyLink(t('privacy'), project.privacy_url),
  )
  const unsent = h('p', { class: 'soft', role: 'status' })
  const showUnsent = () => setText(unsent, queue.size > 0 ? t('kioskWaiting', { count: queue.size }) : '')
  const stopListening = queue.onChange(showUnsent)
  showUnsent()
  return {
    kicker: project.organisation ? t('welcomeFrom', { organisation }) : null,
    title: project.title ?? project.name,
    content: [
      project.description ? h('div', { class: 'column' }, writtenText(project.description)) : null,
      how,
      app.isKiosk ? unsent : null,
    ],
    actions: [button('primary', t('welcomeStart'), () => app.show(nextStep(project, 'welcome')))],
    leave: stopListening,
  }
}
