import type { Words } from '../en/index.ts'
import { audit } from './audit.ts'
import { common } from './common.ts'
import { conversation } from './conversation.ts'
import { conversations } from './conversations.ts'
import { danger } from './danger.ts'
import { deliveries, guide } from './deliveries.ts'
import { home } from './home.ts'
import { members } from './members.ts'
import { organisation } from './organisation.ts'
import { problems } from './problems.ts'
import { profile } from './profile.ts'
import { project } from './project.ts'
import { reports } from './reports.ts'
import { session } from './session.ts'
import { shell } from './shell.ts'
import { staff } from './staff.ts'
import { start } from './start.ts'
import { tiers } from './tiers.ts'
import { usage } from './usage.ts'
import { webhooks } from './webhooks.ts'
import { workspace } from './workspace.ts'

export const fr: Words = {
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
  audit,
  danger,
  members,
  organisation,
  profile,
  staff,
  tiers,
  usage,
  workspace,
}
