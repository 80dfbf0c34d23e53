import type { App, MakeScreen } from '../app.ts'
import { spokenLanguages } from '../languages/languages.ts'
import { previousStep } from '../steps.ts'
import { button, field } from '../ui/controls.ts'
import { h } from '../ui/element.ts'
import { tagChoice } from '../ui/tag-choice.ts'

/** Only what the project asks. Nothing here is required. */
export const about: MakeScreen = (app) => {
  const { t, project, answers } = app
  const name = h('input', {
    type: 'text',
    autocomplete: 'name',
    maxlength: 200,
    value: answers.participant_name ?? '',
  })
  const email = h('input', {
    type: 'email',
    autocomplete: 'email',
    inputmode: 'email',
    maxlength: 320,
    value: answers.participant_email ?? '',
  })
  const emailField = field(t('aboutEmail'), email, t('optional'))
  email.addEventListener('input', () => emailField.setError(null))
  const languages = spokenLanguages(project)
  const spoken = h(
    'select',
    {},
    h('option', { value: '' }, t('aboutAnyLanguage')),
    ...languages.map((tag) =>
      h('option', { value: tag, selected: tag === answers.language, lang: tag }, nameOfLanguage(tag)),
    ),
  )
  const tags = tagChoice(app)
  const goOn = () => {
    if (!email.checkValidity()) {
      emailField.setError(t('aboutEmailInvalid'))
      return email.focus()
    }
    setOrDelete(answers, 'participant_name', name.value.trim())
    setOrDelete(answers, 'participant_email', email.value.trim())
    setOrDelete(answers, 'language', spoken.value)
    app.show('microphone')
  }
  const form = h(
    'form',
    {
      novalidate: true,
      onsubmit: (event: Event) => {
        event.preventDefault()
        goOn()
      },
    },
    project.ask_name && field(t('aboutName'), name, t('optional')).element,
    project.ask_email && emailField.element,
    languages.length > 1 && field(t('aboutSpokenLanguage'), spoken).element,
    tags,
    // Lets the Enter key go on; the button for it is outside the form.
    h('input', { type: 'submit', hidden: true }),
  )
  return {
    title: t('aboutTitle'),
    content: [form],
    actions: [button('primary', t('next'), goOn)],
    back: () => app.show(previousStep(project, 'about')),
  }
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
