import pg from 'pg'
import type { Db } from 'pg-boss'
import { databaseClient } from '../../database/client.ts'
import { openNotifications } from '../../database/notifications.ts'

interface QueueConnectionsOptions {
  url: string
  /** For LISTEN, which a pooler in transaction mode does not support. */
  directUrl: string
  max: number
  idleTimeoutMs: number
  onError(error: Error): void
}

/** The connections of pg-boss. Its own would not follow a database that fails over to another host. */
export interface QueueConnections extends Db {
  executeSql(text: string, values?: unknown[]): Promise<pg.QueryResult>
  close(): Promise<void>
}

const CONNECT_LIMIT_MS = 10_000

export function openQueueConnections(options: QueueConnectionsOptions): QueueConnections {
  const pool = new pg.Pool({
    connectionString: options.url,
    application_name: 'parley-jobs',
    Client: databaseClient(options.idleTimeoutMs, options.directUrl !== options.url),
    max: options.max,
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
    keepAlive: true,
  })
  pool.on('error', options.onError)
  // A connection in use reports an error to its query and here.
  pool.on('connect', (client) => client.on('error', () => {}))
  return {
    executeSql: (text, values) => pool.query(text, values),
    async listen(channel, onNotification, onReconnect) {
      const notifications = openNotifications(options.directUrl, pg.escapeIdentifier(channel))
      notifications.subscribe((payload) => {
        if (payload === null) onReconnect()
        else onNotification(payload)
      })
      return { close: notifications.close }
    },
    close: () => pool.end(),
  }
}
