import type pg from 'pg'
import { databaseClient } from './client.ts'
import { monitorOf } from './primary-monitor.ts'

/** Receives NOTIFY on one channel. Notifications are hints: those sent while the connection is down are lost. */
export interface Notifications {
  /** `listener` gets each payload, and null when payloads can have been lost. */
  subscribe(listener: (payload: string | null) => void): () => void
  close(): Promise<void>
}

const RECONNECT_MS = 1_000
/** A silent connection can be black-holed: it gets a query regularly, and is closed if no response comes. */
const PING_INTERVAL_MS = 5_000
const Client = databaseClient(5_000)

export function openNotifications(url: string, channel: string): Notifications {
  const listeners = new Set<(payload: string | null) => void>()
  const notify = (payload: string | null) => {
    for (const listener of listeners) listener(payload)
  }
  let current: pg.Client | null = null
  let timer: NodeJS.Timeout | undefined
  let closed = false

  function connect(): void {
    const client = new Client({
      connectionString: url,
      application_name: 'parley-notifications',
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
    })
    current = client
    let failed = false
    const reconnect = () => {
      if (failed) return
      failed = true
      clearInterval(timer)
      void client.end().catch(() => {})
      if (!closed) timer = setTimeout(connect, RECONNECT_MS)
    }
    client.on('error', reconnect)
    client.on('end', reconnect)
    client.on('notification', ({ payload }) => notify(payload ?? ''))
    client
      .connect()
      .then(() => client.query(`listen ${channel}`))
      .then(() => {
        if (failed) return
        timer = setInterval(() => void client.query('select 1').catch(reconnect), PING_INTERVAL_MS)
        notify(null)
      }, reconnect)
  }

  connect()
  return {
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    close: async () => {
      closed = true
      clearInterval(timer)
      await current?.end().catch(() => {})
      monitorOf(url)?.close()
    },
  }
}
