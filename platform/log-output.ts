import { type StandardOutput, standardOutput } from './standard-output.ts'

export type LogFormat = 'auto' | 'json' | 'pretty'

/** Standard output for log lines: readable ones on a terminal, JSON everywhere else. */
export async function openLogOutput(format: LogFormat): Promise<StandardOutput> {
  const output = standardOutput()
  if (format === 'json' || (format === 'auto' && !process.stdout.isTTY)) return output
  const prettify = await createPrettifier(process.stdout.hasColors?.() ?? false)
  return { ...output, write: (line) => output.write(prettify(line)) }
}

/** Loaded on demand: services that log JSON do not need it in memory. */
async function createPrettifier(colorize: boolean): Promise<(line: string) => string> {
  const { default: pinoPretty } = await import('pino-pretty')
  return pinoPretty.prettyFactory({
    colorize,
    translateTime: 'SYS:HH:MM:ss',
    hideObject: true,
    customPrettifiers: { time: String },
    messageFormat: (line) => describe(line),
  })
}

interface LoggedLine {
  level?: string
  time?: string
  msg?: string
  component?: string
  request_id?: string
  err?: { type?: string; code?: string; message?: string; frames?: string }
}

/** `component: message name=value`, then the error and its stack trace where there is one. */
function describe({ msg, component, err, ...fields }: LoggedLine): string {
  const hidden = ['level', 'time', ...(fields.level === 'info' ? ['request_id'] : [])]
  const words = [
    component === undefined ? msg : `${component}: ${msg}`,
    ...Object.entries(fields)
      .filter(([name]) => !hidden.includes(name))
      .map(([name, value]) => `${name}=${value}`),
  ].join(' ')
  if (err === undefined) return words
  const reason = [err.message ?? err.type, err.code && `(${err.code})`].filter(Boolean).join(' ')
  return [words, `  ${reason}`, err.frames].filter(Boolean).join('\n')
}
