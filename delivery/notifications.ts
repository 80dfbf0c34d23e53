import { sql } from 'kysely'
import type { Db, Tx } from '../database/database.ts'
import type { Notifications } from '../database/notifications.ts'

/** Wakes dispatchers and event streams. Only a hint: a process that missed it finds the rows by polling. */
export const WAKE_CHANNEL = 'parley_wake'

interface WakeNotification {
  /** The project of a new event; empty if there is none. */
  projectId: string
  /** Webhooks that may have due deliveries. */
  webhookIds: string[]
  /** The dispatcher that was given the queues of these webhooks. */
  to: string | null
}

/** `<project id> <webhook id>,<webhook id> <dispatcher id>`; each can be empty. */
export function parseNotification(payload: string): WakeNotification {
  const [projectId = '', webhooks = '', to = null] = payload.split(' ')
  return { projectId, webhookIds: webhooks.split(',').filter((id) => id !== ''), to }
}

/** PostgreSQL sends the notification when the transaction commits; without one, immediately. */
export async function notifyDispatchers(db: Db | Tx, webhookIds: string[]): Promise<void> {
  await sql`select pg_notify(${WAKE_CHANNEL}, ${` ${webhookIds.join(',')}`})`.execute(db)
}

/** For the event streams of a project. */
export async function notifyProject(tx: Tx, projectId: string): Promise<void> {
  await sql`select pg_notify(${WAKE_CHANNEL}, ${`${projectId} `})`.execute(tx)
}

/** Calls back with the project of each event, and with null when notifications may have been lost. */
export const listenToProjects = (
  notifications: Notifications,
  listener: (projectId: string | null) => void,
): (() => void) =>
  notifications.subscribe((payload) =>
    listener(payload === null ? null : parseNotification(payload).projectId),
  )
