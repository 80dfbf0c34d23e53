import { loadLanguage, type Translate } from '../languages/languages.ts'
import type { TextKey } from '../languages/texts.ts'
import { button, paragraph, picture } from '../ui/controls.ts'
import { h } from '../ui/element.ts'
import { header } from '../ui/header.ts'
import { applyLanguage, languageOf } from '../ui/language-switch.ts'

/** Between attempts to reach the server. */
const RETRY_MS = 5_000

/** A page without a project: a wrong link, or a server that does not respond. `more` is what else there is to say, in the language. */
export function showProblem(
  root: HTMLElement,
  t: Translate,
  title: TextKey,
  help: TextKey,
  more: (t: Translate) => HTMLElement[] = () => [],
): void {
  applyLanguage(languageOf(t))
  document.title = t(title)
  root.replaceChildren(
    h(
      'div',
      { class: 'frame' },
      header({
        t,
        project: null,
        setLanguage: (next) =>
          void loadLanguage(next).then((texts) => showProblem(root, texts, title, help, more)),
      }),
      h(
        'main',
        {},
        h('h1', { tabindex: -1 }, t(title)),
        h('div', { class: 'content' }, picture('warning'), paragraph(t(help)), ...more(t)),
        h(
          'div',
          { class: 'actions' },
          button('primary', t('tryAgain'), () => location.reload()),
        ),
      ),
    ),
  )
  if (title === 'errorOffline') reopenWhenReached()
}

let timer: ReturnType<typeof setInterval> | undefined

/** Reloads only when the server responds: without a network, the browser would show its own error page instead. */
function reopenWhenReached(): void {
  clearInterval(timer)
  const check = async () => {
    const response = await fetch(location.href, { method: 'HEAD', cache: 'no-store' }).catch(() => null)
    if (response && response.status < 500) location.reload()
  }
  timer = setInterval(() => void check(), RETRY_MS)
}
