import type { MakeScreen } from '../app.ts'
import { nextStep } from '../steps.ts'
import { button, paragraph, privacyLink, writtenText } from '../ui/controls.ts'
import { h } from '../ui/element.ts'

/** Who asks, what it is about, and what happens with the recording. */
export const welcome: MakeScreen = (app) => {
  const { t, project } = app
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
  return {
    kicker: project.organisation ? t('welcomeFrom', { organisation }) : null,
    title: project.title ?? project.name,
    content: [
      project.description ? h('div', { class: 'column' }, writtenText(project.description)) : null,
      how,
    ],
    actions: [button('primary', t('welcomeStart'), () => app.show(nextStep(project, 'welcome')))],
  }
}
