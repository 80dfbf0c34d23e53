import { sql } from 'kysely'
import type { Db, Tx } from '../database/database.ts'
import type { WakeUps } from '../database/notifications.ts'

/** Wakes dispatchers and streams. Only a hint: whoever was not listening finds the rows by polling. */
export const WAKE_CHANNEL = 'parley_wake'

/** `<project id> <webhook id>,<webhook id>`; either may be empty. */
export interface WakeUp {
  projectId: string
  webhookIds: string[]
}

export function parseWakeUp(payload: string): WakeUp {
  const [projectId = '', webhooks = ''] = payload.split(' ')
  return { projectId, webhookIds: webhooks.split(',').filter((id) => id !== '') }
}

/** When the transaction commits. */
export async function wakeLanes(on: Db | Tx, webhookIds: string[]): Promise<void> {
  await sql`select pg_notify(${WAKE_CHANNEL}, ${` ${webhookIds.join(',')}`})`.execute(on)
}

/** Somebody may want to know that something happened in the project. */
export async function wakeProject(tx: Tx, projectId: string): Promise<void> {
  await sql`select pg_notify(${WAKE_CHANNEL}, ${`${projectId} `})`.execute(tx)
}

/** Calls back with the project in which something happened, and with null when notifications may have been lost. */
export const listenToProjects = (wakeUps: WakeUps, hear: (projectId: string | null) => void): (() => void) =>
  wakeUps.subscribe((payload) => hear(payload === null ? null : parseWakeUp(payload).projectId))
