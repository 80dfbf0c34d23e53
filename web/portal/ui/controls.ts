import type { Translate } from '../languages/languages.ts'
import { h } from './element.ts'
import { type Icon, icon } from './icons.ts'

export function button(
  kind: 'primary' | 'secondary' | 'quiet' | 'danger',
  label: string,
  onClick: () => void,
  image?: Icon,
): HTMLButtonElement {
  return h(
    'button',
    { type: 'button', class: kind, onclick: onClick },
    image ? icon(image) : null,
    h('span', {}, label),
  )
}

export const paragraph = (text: string, className?: string): HTMLParagraphElement =>
  h('p', { ...(className && { class: className }) }, text)

/** The paragraphs of a text that a host wrote. Its direction is its own. */
export const writtenText = (text: string): HTMLElement =>
  h('div', { class: 'written', dir: 'auto' }, ...text.split(/\n{2,}/).map((part) => h('p', {}, part)))

/** Words, a cause and a next step, which screen readers say when it appears. */
export const notice = (title: string, ...help: string[]): HTMLElement =>
  h(
    'div',
    { class: 'notice', role: 'alert' },
    icon('warning'),
    h('strong', {}, title),
    ...help.map((text) => h('p', {}, text)),
  )

/** A large picture above the words of a screen. */
export const picture = (image: Icon): HTMLElement => h('div', { class: `picture ${image}` }, icon(image))

/** The host's privacy notice, in a new tab: this one can have a recording. */
export const privacyLink = (label: string, url: string | null): HTMLElement | null =>
  url
    ? h('p', {}, h('a', { class: 'privacy', href: url, target: '_blank', rel: 'noopener noreferrer' }, label))
    : null

let lastId = 0

/** A text field with its label, a hint and an error. */
export function field(
  label: string,
  input: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement,
  hint?: string,
) {
  lastId += 1
  const [id, errorId] = [`field-${lastId}`, `error-${lastId}`]
  input.id = id
  const error = h('p', { id: errorId, class: 'error', role: 'alert' })
  const element = h(
    'div',
    { class: 'field' },
    h('label', { for: id }, label, hint ? h('span', { class: 'hint' }, ` (${hint})`) : null),
    input,
    error,
  )
  const setError = (text: string | null): void => {
    error.textContent = text ?? ''
    input.setAttribute('aria-invalid', String(text !== null))
    if (text === null) input.removeAttribute('aria-describedby')
    else {
      input.setAttribute('aria-describedby', errorId)
      // The sticky actions would cover an error that appears at the end of the screen.
      element.scrollIntoView({ block: 'nearest' })
    }
  }
  return { element, setError }
}

/** Asks before a recording or a text is erased that only this device has. */
export const confirmRemoval = (t: Translate, isText: boolean): Promise<boolean> =>
  confirm(
    t(isText ? 'resumeDraftDelete' : 'reviewRemoveTitle'),
    t('removeHere'),
    t('reviewRemoveConfirm'),
    t('cancel'),
  )

/** Asks before something is erased. Resolves with whether it was confirmed. */
export function confirm(title: string, text: string, yes: string, no: string): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = button('secondary', no, () => close(false))
    cancel.autofocus = true
    const close = (answer: boolean) => {
      dialog.close()
      dialog.remove()
      resolve(answer)
    }
    const dialog = h(
      'dialog',
      {
        'aria-labelledby': 'confirm-title',
        'aria-describedby': 'confirm-text',
        oncancel: () => close(false),
      },
      h('h2', { id: 'confirm-title' }, title),
      h('p', { id: 'confirm-text' }, text),
      h(
        'div',
        { class: 'actions' },
        button('danger', yes, () => close(true)),
        cancel,
      ),
    )
    document.body.append(dialog)
    dialog.showModal()
  })
}
