import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Caller, newUser, startBackend } from '../../test/support/backend.ts'
import { newConversation, newPortal } from '../../test/support/conversations.ts'
import { newMember } from '../../test/support/tenants.ts'

const backend = await startBackend({ tierGates: false })
after(() => backend.stop())

interface Entry {
  target_kind: string
  target_id: string
  target_name: string | null
  target_project_id: string | null
}

/** The names of the targets, by kind. */
async function namesFor(reader: Caller, path: string): Promise<Record<string, string | null>> {
  const { status, text, body } = await reader.get(path)
  assert.equal(status, 200, text)
  return Object.fromEntries(
    body.data.map((entry: Entry) => [
      entry.target_kind,
      entry.target_project_id === null ? entry.target_name : `${entry.target_name} in its project`,
    ]),
  )
}

/** A tenant with one change of each kind of record. */
async function newRecords() {
  const portal = await newPortal(backend)
  const { owner, organisationId, workspaceId, projectId } = portal
  const { id } = await newConversation(portal, { participant_name: 'Ada' })
  await owner.send('PATCH', `/api/v2/conversations/${id}`, { title: 'Benches' })
  const later = { title: 'Findings', scheduled_at: '2100-01-01T00:00:00Z' }
  const report = (await owner.post(`/api/v2/projects/${projectId}/reports`, later)).body.id
  const webhook = { url: 'https://example.org/hook?key=1', events: ['report.generated'] }
  const made = await owner.post(`/api/projects/${projectId}/webhooks`, webhook)
  assert.equal(made.status, 201, made.text)
  await newMember(backend, owner, `/api/v2/organisations/${organisationId}`, 'member')
  return {
    portal,
    workspaceId,
    conversation: id,
    report,
    log: `/api/v2/organisations/${organisationId}/audit`,
  }
}

test('entries of the audit log name their targets for those who can read them', async () => {
  const { portal, workspaceId, log } = await newRecords()
  const { owner, organisationId } = portal
  const circle = { organisation: 'Park', workspace: 'Park', user: null }
  const all = {
    ...circle,
    project: 'Park in its project',
    conversation: 'Benches in its project',
    report: 'Findings in its project',
    webhook: 'example.org in its project',
  }
  const unread = { project: null, conversation: null, report: null, webhook: null }
  assert.deepEqual(await namesFor(owner, log), all)

  const admin = await newMember(backend, owner, `/api/v2/organisations/${organisationId}`, 'admin')
  assert.deepEqual(await namesFor(admin, log), { ...circle, ...unread })
  await owner.post(`/api/v2/workspaces/${workspaceId}/members`, { user_id: admin.userId, role: 'observer' })
  assert.deepEqual(await namesFor(admin, log), { ...all, webhook: null })

  const staff = await backend.as(newUser(), { admin_access: true })
  const everything = await namesFor(staff, `/api/v2/admin/audit?workspace_id=${workspaceId}`)
  assert.deepEqual(
    { ...everything, ...circle },
    { ...circle, ...unread, project: all.project, webhook: all.webhook },
  )
})

test('entries of the audit log do not name what was deleted', async () => {
  const { portal, conversation, log } = await newRecords()
  const { owner, projectId } = portal
  await owner.send('DELETE', `/api/v2/conversations/${conversation}`)
  assert.equal((await namesFor(owner, log))['conversation'], null)
  await owner.send('DELETE', `/api/v2/projects/${projectId}`)
  const names = await namesFor(owner, log)
  for (const kind of ['project', 'report', 'webhook']) assert.equal(names[kind], null, kind)
})
