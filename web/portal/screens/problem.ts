import type { Translate } from '../languages/languages.ts'
import type { TextKey } from '../languages/texts.ts'
import { button, notice } from '../ui/controls.ts'
import { h } from '../ui/element.ts'

/** A page without a project: a wrong link, or a server that does not answer. */
export function showProblem(root: HTMLElement, t: Translate, title: TextKey, help: TextKey): void {
  document.title = t(title)
  root.replaceChildren(
    h(
      'div',
      { class: 'frame' },
      h(
        'main',
        {},
        h('h1', { tabindex: -1 }, t(title)),
        h('div', { class: 'content' }, notice('warning', t(title), t(help))),
        h(
          'div',
          { class: 'actions' },
          button('primary', t('tryAgain'), () => location.reload()),
        ),
      ),
    ),
  )
}
