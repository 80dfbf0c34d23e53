import { common } from './common.ts'
import { conversation } from './conversation.ts'
import { conversations } from './conversations.ts'
import { deliveries, guide } from './deliveries.ts'
import { home } from './home.ts'
import { problems } from './problems.ts'
import { project } from './project.ts'
import { reports } from './reports.ts'
import { session } from './session.ts'
import { shell } from './shell.ts'
import { start } from './start.ts'
import { webhooks } from './webhooks.ts'

/** Every text of the dashboard, by area. Other languages have the same type, so a missing text does not compile. */
export const en = {
  common,
  conversation,
  conversations,
  deliveries,
  guide,
  home,
  problems,
  project,
  reports,
  session,
  shell,
  start,
  webhooks,
}

export type Words = typeof en
