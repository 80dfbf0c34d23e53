import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { newUser, startBackend } from '../../test/support/backend.ts'
import { newMember, newTenant } from '../../test/support/tenants.ts'
import { setTier } from '../../test/support/webhooks.ts'
import { locate } from './locate-target.ts'

const backend = await startBackend()
const tenant = await newTenant(backend)
after(() => backend.stop())

const rolesOf = async (userId: string, withTier: boolean) => {
  const principal = { userId, staff: false, source: 'bearer' as const, token: '' }
  const kind = withTier ? 'project_with_tier' : 'project'
  return (await locate(kind, tenant.project, principal, backend.database.pipelined))?.roles
}

test('reads the tier of the workspace for routes that require one', async () => {
  const path = `/api/v2/workspaces/${tenant.workspace}`
  const { userId } = await newMember(backend, tenant.owner, path, 'observer')
  const roles = { staff: false, organisationRole: null, workspaceRole: 'observer', tier: 'free' }
  assert.deepEqual(await rolesOf(userId, true), roles)
  await setTier(backend, tenant, 'guardian')
  assert.equal((await rolesOf(userId, true))?.tier, 'guardian')
  assert.equal((await rolesOf(userId, false))?.tier, null)
})

test('finds the role in the organisation of a user without a role in the workspace', async () => {
  const path = `/api/v2/organisations/${tenant.organisation}`
  const admin = await newMember(backend, tenant.owner, path, 'admin')
  for (const withTier of [true, false]) {
    assert.equal((await rolesOf(admin.userId, withTier))?.organisationRole, 'admin')
    assert.equal((await rolesOf(newUser(), withTier))?.organisationRole, null)
  }
})
