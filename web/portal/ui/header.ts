import type { Project } from '../api.ts'
import type { Language, Translate } from '../languages/languages.ts'
import { h } from './element.ts'
import { icon } from './icons.ts'
import { languageSwitch } from './language-switch.ts'

interface HeaderParts {
  t: Translate
  /** Null on a page that has no project, such as that of a wrong link. */
  project: Project | null
  setLanguage(language: Language): void
  back?: (() => void) | undefined
}

/** The header of every screen: the back button, the name or logo of the organisation, and the language switch. */
export function header({ t, project, setLanguage, back }: HeaderParts): HTMLElement {
  return h(
    'header',
    {},
    back &&
      h('button', { class: 'back', type: 'button', 'aria-label': t('back'), onclick: back }, icon('back')),
    host(project),
    languageSwitch(t, setLanguage),
  )
}

function host(project: Project | null): HTMLElement {
  const name = project?.organisation ?? project?.name ?? ''
  return project?.logo_url
    ? h('span', { class: 'host' }, h('img', { class: 'logo', src: project.logo_url, alt: name }))
    : h('span', { class: 'host' }, h('bdi', {}, name))
}
