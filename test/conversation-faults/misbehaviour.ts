/** What the model does instead of answering, and how likely. */
export const MISBEHAVIOURS = {
  hang: 0.01,
  garbage: 0.03,
  'ask for patience': 0.03,
  fail: 0.03,
  'break off': 0.03,
} as const
export type Misbehaviour = keyof typeof MISBEHAVIOURS

/** Tells a running model to answer well from now on. */
export const CALM_DOWN = 'SIGUSR2'

export interface ModelOptions {
  port: number
  seed: string
  /** Whether it only answers well. */
  isCalm: boolean
}
