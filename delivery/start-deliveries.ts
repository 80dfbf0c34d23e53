import type { Database } from '../database/database.ts'
import type { Metrics } from '../platform/metrics.ts'
import { type Dispatcher, startDispatcher } from './dispatch/dispatcher.ts'
import { createDispatchMetrics, registerGauges } from './dispatch/metrics.ts'
import type { DispatcherParts } from './dispatch/parts.ts'
import { openStatements } from './statements/statement.ts'

type Options = Omit<DispatcherParts, 'statements' | 'db' | 'metrics'> & {
  databaseUrl: string
  database: Database
  metrics: Metrics
}

/** Starts the dispatcher of this process with its own database connections and metrics. */
export function startDeliveries({ databaseUrl, database, metrics, ...parts }: Options): Dispatcher {
  const statements = openStatements(databaseUrl)
  const { db } = database
  const dispatcher = startDispatcher({ ...parts, statements, db, metrics: createDispatchMetrics(metrics) })
  registerGauges(metrics, dispatcher, database, parts.egress)
  return {
    ...dispatcher,
    stop: async (graceMs) => {
      await dispatcher.stop(graceMs)
      await statements.close()
    },
  }
}
