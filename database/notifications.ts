import pg from 'pg'
import { cutWhenSilent } from './socket-watchdog.ts'

/** Hears NOTIFY on one channel. Only a hint: what is sent while the connection is down is not heard. */
export interface WakeUps {
  /** `hear` gets each payload, and null when payloads may have been missed. */
  subscribe(hear: (payload: string | null) => void): () => void
  close(): Promise<void>
}

const RECONNECT_MS = 1_000
/** A connection that says nothing may be black-holed: it is asked, and cut when it does not answer. */
const ASK_EVERY_MS = 5_000
const ANSWER_WITHIN_MS = 5_000

export function openWakeUps(url: string, channel: string): WakeUps {
  const listeners = new Set<(payload: string | null) => void>()
  const tell = (payload: string | null) => {
    for (const hear of listeners) hear(payload)
  }
  let current: pg.Client | null = null
  let timer: NodeJS.Timeout | undefined
  let closed = false

  function connect(): void {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'parley-wake-ups',
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
    })
    current = client
    let over = false
    const again = () => {
      if (over) return
      over = true
      clearInterval(timer)
      void client.end().catch(() => {})
      if (!closed) timer = setTimeout(connect, RECONNECT_MS)
    }
    client.on('error', again)
    client.on('end', again)
    client.on('notification', ({ payload }) => tell(payload ?? ''))
    client
      .connect()
      .then(() => {
        cutWhenSilent(client, ANSWER_WITHIN_MS)
        return client.query(`listen ${channel}`)
      })
      .then(() => {
        if (over) return
        timer = setInterval(() => void client.query('select 1').catch(again), ASK_EVERY_MS)
        tell(null)
      }, again)
  }

  connect()
  return {
    subscribe: (hear) => {
      listeners.add(hear)
      return () => void listeners.delete(hear)
    },
    close: async () => {
      closed = true
      clearInterval(timer)
      await current?.end().catch(() => {})
    },
  }
}
