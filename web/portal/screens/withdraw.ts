import { type Project, RequestRejected, readProject, withdraw } from '../api.ts'
import { chooseLanguage, loadLanguage, type Translate } from '../languages/languages.ts'
import { applyAccent } from '../ui/accent.ts'
import { button, notice, paragraph, picture } from '../ui/controls.ts'
import { h } from '../ui/element.ts'
import { header } from '../ui/header.ts'
import { applyLanguage, languageOf } from '../ui/language-switch.ts'

type State = 'asking' | 'working' | 'done' | 'invalid' | 'unreachable'

/**
 * The page of a receipt's link: `/p/{pid}/withdraw?conversation={cid}#{token}`. Browsers do not send what follows the `#`. Opening
 * the page erases nothing, because mail scanners open links too; the button does.
 */
export async function startWithdrawal(root: HTMLElement): Promise<void> {
  const query = new URLSearchParams(location.search)
  // The page looks like the one on which the recording was made, if that still exists.
  const project = await readProject(location.pathname.split('/')[2] ?? '').catch(() => null)
  applyAccent(project?.accent_colors ?? null)
  let t = await loadLanguage(chooseLanguage(project, navigator.languages, query.get('lang')))
  const by = { id: query.get('conversation') ?? '', token: location.hash.slice(1) }

  function show(state: State, takesFocus = true): void {
    const erase = async () => {
      show('working', false)
      show(await tryWithdrawal(by))
    }
    const setLanguage = (texts: Translate) => {
      t = texts
      show(state, false)
    }
    applyLanguage(languageOf(t))
    root.replaceChildren(frame(t, project, state, () => void erase(), setLanguage))
    if (takesFocus) root.querySelector('h1')?.focus()
  }
  show('asking', false)
}

async function tryWithdrawal(by: { id: string; token: string }): Promise<State> {
  try {
    await withdraw(by)
    return 'done'
  } catch (error) {
    return error instanceof RequestRejected ? 'invalid' : 'unreachable'
  }
}

function frame(
  t: Translate,
  project: Project | null,
  state: State,
  onErase: () => void,
  onLanguage: (t: Translate) => void,
): HTMLElement {
  const title = t(state === 'done' ? 'withdrawnTitle' : 'withdrawTitle')
  document.title = title
  const control = button('danger', t('withdrawButton'), onErase)
  control.disabled = state === 'working'
  return h(
    'div',
    { class: 'frame' },
    header({ t, project, setLanguage: (next) => void loadLanguage(next).then(onLanguage) }),
    h(
      'main',
      {},
      project && h('p', { class: 'kicker', dir: 'auto' }, project.title ?? project.name),
      h('h1', { tabindex: -1 }, title),
      h('div', { class: 'content' }, ...words(t, state)),
      state !== 'done' && state !== 'invalid' && h('div', { class: 'actions' }, control),
    ),
  )
}

function words(t: Translate, state: State): HTMLElement[] {
  if (state === 'done') return [picture('check'), h('p', { role: 'status' }, t('withdrawDone'))]
  if (state === 'invalid') return [notice(t('withdrawInvalid'), t('withdrawInvalidHelp'))]
  const text = paragraph(t('withdrawText'))
  return state === 'unreachable' ? [notice(t('errorNotErased'), t('errorNotErasedHelp')), text] : [text]
}
