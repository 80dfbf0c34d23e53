import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newUser, type Reply } from '../support/backend.ts'
import fc from '../support/properties.ts'
import { NO_ROLES, newPeople, type Person, seedTenant } from './fixtures.ts'
import { backend, service, staff } from './service.ts'
import {
  capabilitiesOf,
  ORGANISATION_CAPABILITIES,
  ROLES,
  type Role,
  rank,
  WORKSPACE_CAPABILITIES,
} from './statement.ts'

const ROUNDS = 8
const KINDS = ['organisation', 'workspace'] as const
type Kind = (typeof KINDS)[number]

interface Scope {
  kind: Kind
  id: string
  path: string
  startRoles: Map<string, Role>
}

/** An organisation or workspace with exactly these members. */
async function newScope<const R extends readonly Role[]>(
  kind: Kind,
  roles: R,
): Promise<[scope: Scope, ...members: { -readonly [K in keyof R]: Person }]> {
  const { pool } = backend.database
  const { oid, wid } = await seedTenant(backend)
  const id = kind === 'organisation' ? oid : wid
  const people = await newPeople(
    service,
    roles.map(() => NO_ROLES),
  )
  const userIds = people.map(({ userId }) => userId)
  await pool.query(`delete from ${kind}_members where ${kind}_id = $1`, [id])
  await pool.query(
    `insert into ${kind}_members (${kind}_id, user_id, role) select $1, * from unnest($2::text[], $3::text[])`,
    [id, userIds, roles],
  )
  const startRoles = new Map(userIds.map((userId, index) => [userId, roles[index] as Role]))
  const scope = { kind, id, path: `/api/v2/${kind}s/${id}/members`, startRoles }
  return [scope, ...(people as { -readonly [K in keyof R]: Person })]
}

const setRole = (by: Person, { path }: Scope, { userId }: Person, role: Role) =>
  by.send('PATCH', `${path}/${userId}`, { role })
const remove = (by: Person, { path }: Scope, { userId }: Person) => by.send('DELETE', `${path}/${userId}`)
/** A user whom the identity store knows. */
async function newKnownUser(): Promise<string> {
  const userId = newUser()
  await backend.introduce([userId])
  return userId
}
const add = async (by: Person, { path }: Pick<Scope, 'path'>, role: Role, userId?: string) =>
  by.send('POST', path, { user_id: userId ?? (await newKnownUser()), role })

async function rolesIn({ kind, id }: Scope): Promise<Map<string, Role>> {
  const { rows } = await backend.database.pool.query<{ user_id: string; role: Role }>(
    `select user_id, role from ${kind}_members where ${kind}_id = $1`,
    [id],
  )
  return new Map(rows.map((row) => [row.user_id, row.role]))
}

const statusesOf = (replies: Reply[]): number[] => replies.map(({ status }) => status).toSorted()

const ownersIn = async (scope: Scope): Promise<number> =>
  [...(await rolesIn(scope)).values()].filter((role) => role === 'owner').length

/** The audit entries of the scope, oldest first. */
async function auditEntriesIn({ kind, id }: Scope) {
  const { rows } = await backend.database.pool.query<{
    actor_id: string
    action: string
    target_id: string
    details: { role?: Role; from?: Role; to?: Role }
  }>(`select actor_id, action, target_id, details from audit_log where ${kind}_id = $1 order by id`, [id])
  return rows
}

/**
 * Applies the audit log to the roles at the start. Each entry must have been allowed to its actor at that moment, an owner must
 * always be left, and the result must be the stored roles.
 */
async function assertAuditExplainsRoles(scope: Scope): Promise<void> {
  const roles = new Map(scope.startRoles)
  for (const { actor_id, action, target_id, details } of await auditEntriesIn(scope)) {
    const actor = roles.get(actor_id) ?? null
    const entry = `${action} of ${roles.get(target_id) ?? 'no role'} by ${actor ?? 'no role'} ${JSON.stringify(details)}`
    const granted = /removed|left/.test(action) ? null : (details.to ?? details.role ?? null)
    assert.equal(action.endsWith('.left'), granted === null && actor_id === target_id, entry)
    assert.ok(actor === 'owner' || actor === 'admin' || (actor !== null && action.endsWith('.left')), entry)
    assert.ok(rank(granted) <= rank(actor), `granted a role above the own: ${entry}`)
    assert.ok(rank(roles.get(target_id) ?? null) <= rank(actor), `changed a member above: ${entry}`)
    if (granted) roles.set(target_id, granted)
    else roles.delete(target_id)
    assert.ok([...roles.values()].includes('owner'), `no owner left: ${entry}`)
  }
  assert.deepEqual(new Map([...roles].sort()), new Map([...(await rolesIn(scope))].sort()))
}

function testInRounds(title: string, work: () => Promise<void>): void {
  test(title, async () => void (await Promise.all(Array.from({ length: ROUNDS }, work))))
}

for (const kind of KINDS) {
  testInRounds(
    `two owners of the ${kind} who demote each other at the same time leave one owner`,
    async () => {
      const [scope, one, two] = await newScope(kind, ['owner', 'owner'])
      const replies = await Promise.all([
        setRole(one, scope, two, 'member'),
        setRole(two, scope, one, 'member'),
      ])
      assert.deepEqual(statusesOf(replies), [200, 403])
      assert.equal(await ownersIn(scope), 1)
      await assertAuditExplainsRoles(scope)
    },
  )

  testInRounds(
    `two owners of the ${kind} who remove each other at the same time leave one owner`,
    async () => {
      const [scope, one, two] = await newScope(kind, ['owner', 'owner'])
      const replies = await Promise.all([remove(one, scope, two), remove(two, scope, one)])
      // The second was removed while waiting, and has no access any more.
      assert.deepEqual(statusesOf(replies), [204, 404])
      assert.equal(await ownersIn(scope), 1)
    },
  )

  testInRounds(
    `owners of the ${kind} who all leave at the same time leave the last one, who gets last_owner`,
    async () => {
      const [scope, ...owners] = await newScope(kind, ['owner', 'owner', 'owner', 'owner'])
      const leave = (person: Person, index: number) =>
        index % 2 === 0 ? remove(person, scope, person) : setRole(person, scope, person, 'observer')
      const replies = await Promise.all(owners.map(leave))
      const rejected = replies.filter(({ status }) => status >= 300)
      assert.deepEqual(
        rejected.map(({ status, body }) => [status, body.code]),
        [[409, 'last_owner']],
      )
      assert.equal(await ownersIn(scope), 1)
    },
  )

  test(`staff cannot remove the last owner of the ${kind} by parallel requests`, async () => {
    const [scope, one, two] = await newScope(kind, ['owner', 'owner', 'member'])
    const replies = await Promise.all(
      [one, two, one, two].flatMap((owner) => [
        setRole(staff, scope, owner, 'admin'),
        remove(staff, scope, owner),
      ]),
    )
    assert.equal(await ownersIn(scope), 1)
    assert.ok(replies.some((reply) => reply.body?.code === 'last_owner'))
  })

  testInRounds(
    `an admin of the ${kind} who is removed while adding members adds none afterwards`,
    async () => {
      const [scope, owner, admin] = await newScope(kind, ['owner', 'admin'])
      await Promise.all([
        add(admin, scope, 'admin'),
        add(admin, scope, 'member'),
        remove(owner, scope, admin),
        add(admin, scope, 'member'),
        add(admin, scope, 'admin'),
      ])
      await assertAuditExplainsRoles(scope)
      assert.equal((await add(admin, scope, 'member')).status, 404)
    },
  )

  testInRounds(
    `an owner of the ${kind} who is demoted while adding owners adds none afterwards`,
    async () => {
      const [scope, one, two, third] = await newScope(kind, ['owner', 'owner', 'member'])
      await Promise.all([
        add(two, scope, 'owner'),
        setRole(two, scope, third, 'owner'),
        setRole(one, scope, two, 'admin'),
        add(two, scope, 'owner'),
        setRole(two, scope, two, 'owner'),
      ])
      await assertAuditExplainsRoles(scope)
      assert.equal((await rolesIn(scope)).get(two.userId), 'admin')
      assert.equal((await add(two, scope, 'owner')).status, 403)
      assert.equal((await setRole(two, scope, two, 'owner')).status, 403, 'nor promote themselves again')
    },
  )

  test(`parallel changes of the ${kind} are each allowed to their actor, as the audit log shows`, () =>
    fc.assert(
      fc.asyncProperty(
        someRoles,
        fc.array(someChange, { minLength: 4, maxLength: 12 }),
        async (roles, changes) => {
          const [scope, ...people] = await newScope(kind, ['owner', ...roles])
          const at = (index: number) => people[index % people.length] as Person
          const replies = await Promise.all(
            changes.map(({ by, whom, role, what }) => {
              if (what === 'add') return add(at(by), scope, role)
              return what === 'remove'
                ? remove(at(by), scope, at(whom))
                : setRole(at(by), scope, at(whom), role)
            }),
          )
          for (const { status } of replies) assert.ok(status < 500, `${status}`)
          await assertAuditExplainsRoles(scope)
        },
      ),
      { numRuns: 15 },
    ))

  test(`a role that was removed in the ${kind} gives no access at the very next request`, async () => {
    for (const role of ROLES) {
      const [scope, owner, other] = await newScope(kind, ['owner', role])
      const path = `/api/v2/${kind}s/${scope.id}`
      assert.equal((await other.send('GET', path)).status, 200)
      assert.equal((await remove(owner, scope, other)).status, 204)
      assert.equal((await other.send('GET', path)).status, 404)
      const { body } = await other.send('GET', '/api/v2/me')
      assert.deepEqual(body[`${kind}s`], [])
    }
  })

  test(`a role that was changed in the ${kind} applies to the very next request`, async () => {
    const table = kind === 'organisation' ? ORGANISATION_CAPABILITIES : WORKSPACE_CAPABILITIES
    const [scope, owner, other] = await newScope(kind, ['owner', 'observer'])
    for (const role of ROLES) {
      assert.equal((await setRole(owner, scope, other, role)).status, 200)
      const isAllowed = capabilitiesOf(table, role).includes(`${kind}:members`)
      assert.equal((await other.send('GET', scope.path)).status, isAllowed ? 200 : 403, role)
    }
  })

  testInRounds(
    `a person who is added to the ${kind} several times at the same time gets one role`,
    async () => {
      const [scope, owner] = await newScope(kind, ['owner'])
      const userId = await newKnownUser()
      const replies = await Promise.all(ROLES.map((role) => add(owner, scope, role, userId)))
      assert.deepEqual(statusesOf(replies), [201, 409, 409, 409, 409, 409])
      for (const { status, body } of replies) if (status === 409) assert.equal(body.code, 'already_member')
      assert.equal((await auditEntriesIn(scope)).length, 1)
    },
  )

  testInRounds(`an invitation to the ${kind} ends with the role of the inviter`, async () => {
    const [scope, owner, admin] = await newScope(kind, ['owner', 'admin'])
    const [guest] = await newPeople(service, [NO_ROLES])
    const invited = await admin.send('POST', scope.path, { email: guest.email, role: 'admin' })
    assert.equal(invited.status, 202)
    const [accepted, removed] = await Promise.all([
      guest.send('POST', `/api/v2/invitations/${invited.body.id}/accept`),
      remove(owner, scope, admin),
    ])
    assert.equal(removed.status, 204)
    assert.ok([200, 404].includes(accepted.status), `${accepted.status}`)
    assert.equal((await rolesIn(scope)).has(guest.userId), accepted.status === 200)
    const late = await guest.send('POST', `/api/v2/invitations/${invited.body.id}/accept`)
    assert.equal(late.status, 404)
  })
}

const someRoles = fc.array(fc.constantFrom<Role>('owner', 'owner', 'admin', 'member'), {
  minLength: 2,
  maxLength: 4,
})
const someChange = fc.record({
  what: fc.constantFrom('add', 'change', 'change', 'remove'),
  by: fc.nat(4),
  whom: fc.nat(4),
  role: fc.constantFrom<Role>('owner', 'admin', 'member'),
})

testInRounds(
  'an owner of the organisation who is demoted while adding members to its workspace adds none afterwards',
  async () => {
    const [scope, one, two] = await newScope('organisation', ['owner', 'owner'])
    const { rows } = await backend.database.pool.query<{ id: string }>(
      'select id from workspaces where organisation_id = $1',
      [scope.id],
    )
    const path = `/api/v2/workspaces/${rows[0]?.id}/members`
    const replies = await Promise.all([
      add(two, { path }, 'owner'),
      setRole(one, scope, two, 'member'),
      add(two, { path }, 'owner'),
      add(two, { path }, 'admin'),
    ])
    const log = await auditEntriesIn(scope)
    const demoted = log.findIndex(({ action }) => action === 'organisation.member.role_changed')
    const afterwards = log.slice(demoted + 1).filter(({ actor_id }) => actor_id === two.userId)
    assert.deepEqual(afterwards, [])
    assert.equal(log.length, replies.filter(({ status }) => status < 300).length)
    assert.equal((await add(two, { path }, 'member')).status, 404)
  },
)

test('an invitation by an owner of the old organisation ends with the transfer of the workspace', async () => {
  const [from, to] = await Promise.all([seedTenant(backend), seedTenant(backend)])
  const [organiser, guest] = await newPeople(
    service,
    [{ ...NO_ROLES, organisation: 'owner' }, NO_ROLES],
    from,
  )
  const path = `/api/v2/workspaces/${from.wid}`
  const invited = await organiser.send('POST', `${path}/members`, { email: guest.email, role: 'owner' })
  assert.equal(invited.status, 202)
  const transfer = { organisation_id: to.oid, reason: 'Sold' }
  const moved = await staff.send('POST', `/api/v2/admin/workspaces/${from.wid}/transfer`, transfer)
  assert.equal(moved.status, 200)
  assert.equal((await organiser.send('GET', path)).status, 404)
  assert.equal((await guest.send('POST', `/api/v2/invitations/${invited.body.id}/accept`)).status, 404)
  assert.equal((await guest.send('GET', path)).status, 404)
})

test('parallel changes cause no deadlocks', async (t) => {
  const { rows } = await backend.database.pool.query<{ deadlocks: number }>(
    'select deadlocks from pg_stat_database where datname = current_database()',
  )
  t.diagnostic(`${rows[0]?.deadlocks} deadlocks`)
  assert.equal(rows[0]?.deadlocks, 0)
})
