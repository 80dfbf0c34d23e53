import type { MakeScreen } from '../app.ts'
import { nextStep } from '../steps.ts'
import { button, paragraph, privacyLink, writtenText } from '../ui/controls.ts'
import { earlierRecordings } from '../ui/earlier-recordings.ts'
import { h } from '../ui/element.ts'

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
  const earlier = app.isKiosk ? earlierRecordings(t, queue) : null
  return {
    kicker: project.organisation ? t('welcomeFrom', { organisation }) : null,
    title: project.title ?? project.name,
    content: [
      project.description ? h('div', { class: 'column' }, writtenText(project.description)) : null,
      how,
      earlier?.element ?? null,
    ],
    actions: [button('primary', t('welcomeStart'), () => app.show(nextStep(project, 'welcome')))],
    ...(earlier && { leave: earlier.stop }),
  }
}
