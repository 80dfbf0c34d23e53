import type { App, MakeScreen } from '../app.ts'
import { spokenLanguages } from '../languages/languages.ts'
import { previousStep } from '../steps.ts'
import { button, field } from '../ui/controls.ts'
import { h } from '../ui/element.ts'
import { tagChoice } from '../ui/tag-choice.ts'

/** Only what the project asks. Nothing here is required. */
export const about: MakeScreen = (app) => {
  const { t, project, answers } = app
  const name = textInput(app, 'participant_name', {
    type: 'text',
    autocomplete: 'name',
    maxlength: 200,
    dir: 'auto',
  })
  const email = textInput(app, 'participant_email', {
    type: 'email',
    autocomplete: 'email',
    inputmode: 'email',
    maxlength: 320,
  })
  const emailField = field(t('aboutEmail'), email, t('optional'))
  email.addEventListener('input', () => emailField.setError(null))
  const languages = spokenLanguages(project)
  const spoken = h(
    'select',
    { onchange: () => setOrDelete(answers, 'language', spoken.value) },
    h('option', { value: '' }, t('aboutAnyLanguage')),
    ...languages.map((tag) =>
      h('option', { value: tag, selected: tag === answers.language, lang: tag }, nameOfLanguage(tag)),
    ),
  )
  const showNext = () => {
    if (email.checkValidity()) return app.show('microphone')
    emailField.setError(t('aboutEmailInvalid'))
    email.focus()
  }
  const form = h(
    'form',
    {
      novalidate: true,
      onsubmit: (event: Event) => {
        event.preventDefault()
        showNext()
      },
    },
    project.ask_name && field(t('aboutName'), name, t('optional')).element,
    project.ask_email && emailField.element,
    languages.length > 1 && field(t('aboutSpokenLanguage'), spoken).element,
    tagChoice(t('aboutTags'), project.tags, answers.tags ?? [], (tags) => {
      answers.tags = tags
    }),
    // Lets the Enter key show the next screen; the button for it is outside the form.
    h('input', { type: 'submit', hidden: true }),
  )
  return {
    title: t('aboutTitle'),
    content: [form],
    actions: [button('primary', t('next'), showNext)],
    back: () => app.show(previousStep(project, 'about')),
  }
}

/** Keeps every letter, so that the way back and a change of language lose nothing. */
function textInput(
  { answers }: App,
  key: 'participant_name' | 'participant_email',
  attributes: Record<string, string | number>,
): HTMLInputElement {
  const input = h('input', { ...attributes, value: answers[key] ?? '' })
  input.addEventListener('input', () => setOrDelete(answers, key, input.value.trim()))
  return input
}

function setOrDelete(
  answers: App['answers'],
  key: 'participant_name' | 'participant_email' | 'language',
  value: string,
): void {
  if (value === '') delete answers[key]
  else answers[key] = value
}

/** In the language itself, where the browser knows it. */
function nameOfLanguage(tag: string): string {
  try {
    return new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag
  } catch {
    return tag
  }
}
