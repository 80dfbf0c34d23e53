import { isRightToLeft, LANGUAGES, type Language, type Translate } from '../languages/languages.ts'
import { h } from './element.ts'
import { icon } from './icons.ts'

/** Sets the language and the direction of the document, which screen readers and line breaks follow. */
export function applyLanguage(language: Language): void {
  document.documentElement.lang = language
  document.documentElement.dir = isRightToLeft(language) ? 'rtl' : 'ltr'
}

/** The language whose texts these are. */
export const languageOf = (t: Translate): Language =>
  (Object.keys(LANGUAGES) as Language[]).find((code) => LANGUAGES[code] === t('language')) ?? 'en'

export function languageSwitch(t: Translate, onChoice: (language: Language) => void): HTMLElement {
  const current = languageOf(t)
  const select = h(
    'select',
    { 'aria-label': t('changeLanguage'), onchange: () => onChoice(select.value as Language) },
    ...Object.entries(LANGUAGES).map(([code, name]) =>
      h('option', { value: code, lang: code, selected: code === current }, name),
    ),
  )
  return h('label', { class: 'language' }, icon('globe'), select)
}
