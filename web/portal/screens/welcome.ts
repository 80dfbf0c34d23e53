import type { MakeScreen } from '../app.ts'
import { nextStep } from '../steps.ts'
import { button, paragraph, writtenText } from '../ui/controls.ts'
import { h } from '../ui/element.ts'

export const welcome: MakeScreen = (app) => {
  const { t, project } = app
  const organisation = project.organisation ?? project.name
  return {
    title: project.title ?? project.name,
    content: [
      project.organisation ? paragraph(t('welcomeFrom', { organisation }), 'kicker') : h('span'),
      project.description ? writtenText(project.description) : h('span'),
      h('h2', {}, t('welcomeHow')),
      h(
        'ol',
        { class: 'steps' },
        h('li', {}, t('welcomeStepSpeak')),
        h('li', {}, t('welcomeStepText', { organisation })),
        h('li', {}, t('welcomeStepWithdraw')),
      ),
      project.privacy_url
        ? h(
            'p',
            {},
            h('a', { href: project.privacy_url, target: '_blank', rel: 'noopener noreferrer' }, t('privacy')),
          )
        : h('span'),
    ],
    actions: [button('primary', t('welcomeStart'), () => app.show(nextStep(project, 'welcome')))],
  }
}
