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

/** Words, a cause and a next step. */
export const notice = (kind: 'warning' | 'info', title: string, help?: string): HTMLElement =>
  h(
    'div',
    { class: `notice ${kind}`, role: kind === 'warning' ? 'alert' : 'note' },
    icon(kind === 'warning' ? 'warning' : 'phone'),
    h('div', {}, h('strong', {}, title), help ? h('p', {}, help) : null),
  )

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
    input.toggleAttribute('aria-invalid', text !== null)
    if (text === null) input.removeAttribute('aria-describedby')
    else input.setAttribute('aria-describedby', errorId)
  }
  return { element, setError }
}

/** Asks before something is erased. Resolves with whether it was confirmed. */
export function confirm(title: string, text: string, yes: string, no: string): Promise<boolean> {
  return new Promise((resolve) => {
    const heading = h('h2', { id: 'confirm-title' }, title)
    const close = (answer: boolean) => {
      dialog.close()
      dialog.remove()
      resolve(answer)
    }
    const dialog = h(
      'dialog',
      { 'aria-labelledby': 'confirm-title', oncancel: () => close(false) },
      heading,
      h('p', {}, text),
      h(
        'div',
        { class: 'actions' },
        button('danger', yes, () => close(true)),
        button('secondary', no, () => close(false)),
      ),
    )
    document.body.append(dialog)
    dialog.showModal()
  })
}
