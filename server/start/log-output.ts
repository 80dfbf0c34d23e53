import { styleText } from 'node:util'
import { type StandardOutput, standardOutput } from '../../platform/standard-output.ts'

export type LogFormat = 'auto' | 'json' | 'pretty'

/** Standard output for log lines: readable ones on a terminal, JSON everywhere else. */
export function openLogOutput(format: LogFormat): StandardOutput {
  const output = standardOutput()
  if (format === 'json' || (format === 'auto' && !process.stdout.isTTY)) return output
  return { ...output, write: (line) => output.write(readable(line)) }
}

interface LoggedLine {
  level: string
  time: string
  msg?: string
  component?: string
  request_id?: string
  err?: { type?: string; code?: string; message?: string; frames?: string }
}

const COLOURS: Record<string, 'red' | 'yellow' | 'green'> = { error: 'red', warn: 'yellow', info: 'green' }

/** `time LEVEL component: message name=value`, then the error and its stack trace where there is one. */
function readable(line: string): string {
  const logged = parse(line)
  if (logged === null) return line
  const { level, time, msg, component, err, request_id, ...fields } = logged
  const shown = level === 'info' || request_id === undefined ? fields : { ...fields, request_id }
  const words = [
    new Date(time).toTimeString().slice(0, 8),
    styleText(COLOURS[level] ?? 'gray', level.toUpperCase().padEnd(5)),
    component === undefined ? msg : `${component}: ${msg}`,
    ...Object.entries<string | number>(shown).map(([name, value]) => styleText('gray', `${name}=${value}`)),
  ].join(' ')
  const reason = err && `  ${err.message ?? err.type}${err.code ? ` (${err.code})` : ''}`
  return [words, reason, err?.frames, ''].filter((part) => part !== undefined).join('\n')
}

/** Null for a line that is not a log line, such as a warning of Node in the identity store. */
function parse(line: string): LoggedLine | null {
  try {
    return JSON.parse(line) as LoggedLine
  } catch {
    return null
  }
}
