import { type DestinationStream, type Logger, pino } from 'pino'
import { standardOutput } from './standard-output.ts'

export type { Logger } from 'pino'

/** An allow-list, because a deny-list would miss new fields: no body, header, query, token or name reaches the log. */
const ALLOWED_FIELDS = new Set(
  `request_id method route status code duration_ms user_id staff organisation_id workspace_id project_id webhook_id
   address host port pid signal exit_code component task migration version attempt count reason err`.split(
    /\s+/,
  ),
)

const allowed =
  (hasNoStack: (error: Error) => boolean) =>
  (fields: Record<string, unknown>): Record<string, unknown> => {
    const kept: Record<string, unknown> = {}
    for (const name in fields) {
      if (ALLOWED_FIELDS.has(name))
        kept[name] = name === 'err' ? describeError(fields[name], hasNoStack) : fields[name]
    }
    return kept
  }

/** The last four are PostgreSQL's. */
type ErrorLike = Error & {
  code?: string
  severity?: string
  constraint?: string
  table?: string
  routine?: string
}

/** A failed system call, a client that went away: message and code say it all, and a stack trace would hide real bugs. */
const isExpected = (error: Error): boolean =>
  'syscall' in error || EXPECTED_CODES.has((error as ErrorLike).code ?? '')

const EXPECTED_CODES = new Set(['ABORT_ERR', 'ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE'])

/** PostgreSQL repeats values in its messages (`invalid input syntax for type uuid: "…"`), so only its codes are kept. */
function describeError(thrown: unknown, hasNoStack: (error: Error) => boolean): Record<string, unknown> {
  if (!(thrown instanceof Error)) return { type: typeof thrown }
  const error: ErrorLike = thrown
  const frames = hasNoStack(thrown)
    ? undefined
    : error.stack
        ?.split('\n')
        .filter((line) => line.startsWith('    at '))
        .join('\n')
  const { name, message, code, severity, constraint, table, routine } = error
  if (severity !== undefined) return { type: 'DatabaseError', code, constraint, table, routine, frames }
  return { type: name, code, message, frames }
}

/** `isAlsoExpected` names further errors that are logged without a stack trace. */
export function createLog(
  level: string,
  destination?: DestinationStream,
  isAlsoExpected: (error: Error) => boolean = () => false,
): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
        log: allowed((error) => isExpected(error) || isAlsoExpected(error)),
      },
      // pino would expand errors before the allow-list sees them.
      serializers: { err: (error: unknown) => error },
    },
    destination ?? standardOutput(),
  )
}
