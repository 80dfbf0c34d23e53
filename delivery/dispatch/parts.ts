import type { Db } from '../../database/database.ts'
import type { Keyring } from '../../platform/encryption.ts'
import type { Logger } from '../../platform/log.ts'
import type { Egress } from '../http/index.ts'
import type { Statements } from '../statements/statement.ts'
import type { DispatchMetrics } from './metrics.ts'

/** Everything that a dispatcher needs from outside. */
export interface DispatcherParts {
  statements: Statements
  db: Db
  egress: Egress
  keyring: Keyring
  /** The tiers whose webhooks are sent to. */
  tiers: string[]
  userAgent: string
  metrics: DispatchMetrics
  log: Logger
}
