import type { Project } from '../../portal/api.ts'

/** The screens of the recording page that the preview shows. The microphone is the browser's own question. */
export const PREVIEW_STEPS = ['welcome', 'consent', 'about', 'recording', 'thanks', 'closed'] as const
export type PreviewStep = (typeof PREVIEW_STEPS)[number]

/** From the settings to the preview: what to show. */
export interface Shown {
  kind: 'show'
  project: Project
  step: PreviewStep
}

/** From the preview to the settings. */
export type PreviewMessage = { kind: 'ready' } | { kind: 'step'; step: PreviewStep }
