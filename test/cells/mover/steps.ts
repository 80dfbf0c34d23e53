/** The moments at which the simulation kills the mover, in their order. */
export const STEPS = [
  'files copied beforehand',
  'queues taken',
  'requests held',
  'source quiet',
  'half of the tables copied',
  'new files copied',
  'target prepared',
  'rows deleted at the source',
  'target committed',
  'directory switched',
  'half of the files removed',
] as const

export type Step = (typeof STEPS)[number]

const KILLED_AT = process.env['KILL_AT']

/** Reports the step and its time, and ends the process there without any cleanup if the simulation wants it. */
export function reach(step: Step): void {
  console.log(`step ${Date.now()} ${step}`)
  if (step === KILLED_AT) process.kill(process.pid, 'SIGKILL')
}
