import type { ChildProcess } from 'node:child_process'

/** A process that could not be launched has no pid; one that a signal ended has no exit code. */
export const isRunning = ({ pid, exitCode, signalCode }: ChildProcess): boolean =>
  pid !== undefined && exitCode === null && signalCode === null
