import type { Words } from '../en/index.ts'
import { activity } from './activity.ts'
import { audit } from './audit.ts'
import { bulk } from './bulk.ts'
import { catalogue } from './catalogue.ts'
import { common } from './common.ts'
import { conversation } from './conversation.ts'
import { conversations } from './conversations.ts'
import { danger } from './danger.ts'
import { deliveries, guide } from './deliveries.ts'
import { home } from './home.ts'
import { members } from './members.ts'
import { organisation } from './organisation.ts'
import { palette } from './palette.ts'
import { problems } from './problems.ts'
import { profile } from './profile.ts'
import { poster, project } from './project.ts'
import { projectSettings } from './project-settings.ts'
import { reportEditor } from './report-editor.ts'
import { reports } from './reports.ts'
import { room } from './room.ts'
import { session } from './session.ts'
import { shell } from './shell.ts'
import { staff } from './staff.ts'
import { start } from './start.ts'
import { tiers } from './tiers.ts'
import { uploads } from './uploads.ts'
import { usage } from './usage.ts'
import { webhooks } from './webhooks.ts'
import { workspace } from './workspace.ts'

export const de: Words = {
  activity,
  bulk,
  catalogue,
  common,
  conversation,
  conversations,
  deliveries,
  guide,
  home,
  poster,
  problems,
  project,
  projectSettings,
  palette,
  reportEditor,
  reports,
  room,
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
  uploads,
  usage,
  workspace,
}
