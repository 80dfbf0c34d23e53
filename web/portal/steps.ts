import type { Project } from './api.ts'
import { spokenLanguages } from './languages/languages.ts'

export type Step =
  | 'welcome'
  | 'consent'
  | 'about'
  | 'microphone'
  | 'text'
  | 'recording'
  | 'review'
  | 'sending'
  | 'kept'
  | 'thanks'
  | 'resume'
  | 'closed'

const asksAboutParticipant = (project: Project): boolean =>
  project.ask_name || project.ask_email || project.tags.length > 0 || spokenLanguages(project).length > 1

/** The steps before the recording, in order: consent and questions only where the project has them. */
export const stepsBefore = (project: Project): Step[] => [
  'welcome',
  ...(project.consent_text === null ? [] : (['consent'] as const)),
  ...(asksAboutParticipant(project) ? (['about'] as const) : []),
  'microphone',
]

export const nextStep = (project: Project, step: Step): Step => {
  const steps = stepsBefore(project)
  return steps[steps.indexOf(step) + 1] ?? 'recording'
}

export const previousStep = (project: Project, step: Step): Step => {
  const steps = stepsBefore(project)
  return steps[steps.indexOf(step) - 1] ?? 'welcome'
}
