import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { newUser, startBackend } from '../../test/support/backend.ts'
import { newMember, newTenant } from '../../test/support/tenants.ts'
import { locate } from './locate-target.ts'

const backend = await startBackend()
const tenant = await newTenant(backend)
after(() => backend.stop())

const rolesOf = async (userId: string, withTier: boolean) => {
  const principal = { userId, staff: false, source: 'bearer' as const, token: '' }
  const kind = withTier ? 'project_with_tier' : 'project'
  return (await locate(kind, tenant.project, principal, backend.database.pipelined))?.roles
}

test('a project’s tier is its workspace’s, for the routes that ask for one', async () => {
  const { userId } = await newMember(
    backend,
    tenant.owner,
    `/api/v2/workspaces/${tenant.workspace}`,
    'observer',
  )
  assert.deepEqual(await rolesOf(userId, true), {
    staff: false,
    organisationRole: null,
    workspaceRole: 'observer',
    tier: 'free',
  })
  const staff = await backend.as(newUser(), { admin_access: true })
  await staff.send('PUT', `/api/v2/admin/workspaces/${tenant.workspace}/tier`, {
    tier: 'guardian',
    reason: 'x',
  })
  assert.equal((await rolesOf(userId, true))?.tier, 'guardian')
  assert.equal((await rolesOf(userId, false))?.tier, null)
})

test('without a role in the workspace the one in its organisation is found, and a stranger has none', async () => {
  const admin = await newMember(
    backend,
    tenant.owner,
    `/api/v2/organisations/${tenant.organisation}`,
    'admin',
  )
  for (const withTier of [true, false]) {
    assert.equal((await rolesOf(admin.userId, withTier))?.organisationRole, 'admin')
    assert.equal((await rolesOf(newUser(), withTier))?.organisationRole, null)
  }
})
