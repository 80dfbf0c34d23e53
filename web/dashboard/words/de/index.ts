import type { Words } from '../en/index.ts'
import { activity } from './account/activity.ts'
import { home } from './account/home.ts'
import { profile } from './account/profile.ts'
import { session } from './account/session.ts'
import { start } from './account/start.ts'
import { bulk } from './conversations/bulk.ts'
import { conversation } from './conversations/conversation.ts'
import { conversations } from './conversations/conversations.ts'
import { room } from './conversations/room.ts'
import { uploads } from './conversations/uploads.ts'
import { poster, project } from './projects/project.ts'
import { projectSettings } from './projects/project-settings.ts'
import { reportEditor } from './reports/report-editor.ts'
import { reports } from './reports/reports.ts'
import { common } from './shared/common.ts'
import { danger } from './shared/danger.ts'
import { palette } from './shared/palette.ts'
import { problems } from './shared/problems.ts'
import { shell } from './shared/shell.ts'
import { audit } from './tenancy/audit.ts'
import { members } from './tenancy/members.ts'
import { organisation } from './tenancy/organisation.ts'
import { staff } from './tenancy/staff.ts'
import { tiers } from './tenancy/tiers.ts'
import { usage } from './tenancy/usage.ts'
import { workspace } from './tenancy/workspace.ts'
import { catalogue } from './webhooks/catalogue.ts'
import { deliveries, guide } from './webhooks/deliveries.ts'
import { webhooks } from './webhooks/webhooks.ts'

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
