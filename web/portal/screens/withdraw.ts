import { Refusal, withdraw } from '../api.ts'
import { chooseLanguage, isRightToLeft, loadLanguage } from '../languages/languages.ts'
import { button, notice, paragraph } from '../ui/controls.ts'
import { h } from '../ui/element.ts'

/**
 * The page of a receipt's link: `/p/{pid}/withdraw?conversation={cid}#{token}`. Browsers do not send what follows the `#`. Opening
 * the page erases nothing, because mail scanners open links too; the button does.
 */
export async function startWithdrawal(root: HTMLElement): Promise<void> {
  const language = chooseLanguage(null, navigator.languages)
  const t = await loadLanguage(language)
  document.documentElement.lang = language
  document.documentElement.dir = isRightToLeft(language) ? 'rtl' : 'ltr'
  document.title = t('withdrawTitle')
  const by = {
    id: new URLSearchParams(location.search).get('conversation') ?? '',
    token: location.hash.slice(1),
  }
  const content = h('div', { class: 'content', 'aria-live': 'polite' }, paragraph(t('withdrawText')))
  const control = button('danger', t('withdrawButton'), () => void erase())
  const actions = h('div', { class: 'actions' }, control)

  async function erase(): Promise<void> {
    control.disabled = true
    try {
      await withdraw(by)
      content.replaceChildren(paragraph(t('withdrawDone')))
      actions.remove()
    } catch (error) {
      if (error instanceof Refusal) {
        content.replaceChildren(notice('warning', t('withdrawInvalid')))
        actions.remove()
      } else
        content.replaceChildren(
          paragraph(t('withdrawText')),
          notice('warning', t('errorServer'), t('errorOfflineHelp')),
        )
    }
    control.disabled = false
  }
  root.replaceChildren(
    h('div', { class: 'frame' }, h('main', {}, h('h1', {}, t('withdrawTitle')), content, actions)),
  )
}
