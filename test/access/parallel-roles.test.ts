import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newUser, startBackend, type TestBackend } from '../support/backend.ts'
import fc from '../support/properties.ts'
import { type Client, clientOf } from './client.ts'
import { introduce, noRoles, type Person, personOf, seedTenant, settle } from './fixtures.ts'
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

let backend: TestBackend
let client: Client
before(async () => {
  backend = await startBackend()
  client = clientOf(backend.url)
})
after(async () => {
  client.close()
  await backend.stop()
})

/** An organisation or workspace in which exactly these people hold roles. */
interface Circle {
  kind: Kind
  id: string
  people: Person[]
  path: string
}

async function circleOf(kind: Kind, roles: Role[]): Promise<Circle> {
  const { pool } = backend.database
  const place = await seedTenant(backend)
  const id = kind === 'organisation' ? place.oid : place.wid
  const people = await Promise.all(roles.map(() => personOf(backend, client, noRoles)))
  await pool.query(`delete from ${kind}_members where ${kind}_id = $1`, [id])
  await pool.query(
    `insert into ${kind}_members (${kind}_id, user_id, role) select $1, * from unnest($2::text[], $3::text[])`,
    [id, people.map((person) => person.userId), roles],
  )
  return { kind, id, people, path: `/api/v2/${kind}s/${id}/members` }
}

const memberPath = (circle: Circle, person: Pick<Person, 'userId'>) => `${circle.path}/${person.userId}`
const setRole = (by: Person, circle: Circle, whom: Pick<Person, 'userId'>, role: Role) =>
  by.send('PATCH', memberPath(circle, whom), { role })
const remove = (by: Person, circle: Circle, whom: Pick<Person, 'userId'>) =>
  by.send('DELETE', memberPath(circle, whom))
/** Somebody whom the identity store knows. */
async function newKnownUser(): Promise<string> {
  const userId = newUser()
  await backend.introduce([userId])
  return userId
}
const add = async (by: Person, circle: Circle, role: Role, userId?: string) =>
  by.send('POST', circle.path, { user_id: userId ?? (await newKnownUser()), role })

async function rolesIn({ kind, id }: Circle): Promise<Map<string, Role>> {
  const { rows } = await backend.database.pool.query<{ user_id: string; role: Role }>(
    `select user_id, role from ${kind}_members where ${kind}_id = $1`,
    [id],
  )
  return new Map(rows.map((row) => [row.user_id, row.role]))
}

const ownersIn = async (circle: Circle): Promise<number> =>
  [...(await rolesIn(circle)).values()].filter((role) => role === 'owner').length

/** What the audit log tells of the circle, oldest first. */
async function deedsIn({ kind, id }: Circle) {
  const { rows } = await backend.database.pool.query<{
    actor_id: string
    action: string
    target_id: string
    details: { role?: Role; from?: Role; to?: Role }
  }>(`select actor_id, action, target_id, details from audit_log where ${kind}_id = $1 order by id`, [id])
  return rows
}

/**
 * Follows the log from the roles that there were at the start: each entry must have been in the power of its actor at
 * that moment, noRoles may be left without an owner, and in the end it must have led to the roles that are there.
 */
async function replay(circle: Circle, start: Map<string, Role>): Promise<void> {
  const roles = new Map(start)
  for (const { actor_id, action, target_id, details } of await deedsIn(circle)) {
    const actor = roles.get(actor_id) ?? null
    const entry = `${action} of ${roles.get(target_id) ?? 'no role'} by ${actor ?? 'no role'} ${JSON.stringify(details)}`
    const granted = /removed|left/.test(action) ? null : (details.to ?? details.role ?? null)
    assert.equal(action.endsWith('.left'), granted === null && actor_id === target_id, entry)
    assert.ok(actor === 'owner' || actor === 'admin' || (actor !== null && action.endsWith('.left')), entry)
    assert.ok(rank(granted) <= rank(actor), `granted above the own role: ${entry}`)
    assert.ok(rank(roles.get(target_id) ?? null) <= rank(actor), `touched somebody above: ${entry}`)
    if (granted) roles.set(target_id, granted)
    else roles.delete(target_id)
    assert.ok([...roles.values()].includes('owner'), `no owner left: ${entry}`)
  }
  assert.deepEqual(new Map([...roles].sort()), new Map([...(await rolesIn(circle))].sort()))
}

const startOf = (circle: Circle, roles: Role[]): Map<string, Role> =>
  new Map(circle.people.map((person, index) => [person.userId, roles[index] as Role]))

async function inRounds(work: () => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: ROUNDS }, () => work()))
}

for (const kind of KINDS) {
  test(`two owners of one ${kind} who demote each other at once leave one owner`, () =>
    inRounds(async () => {
      const circle = await circleOf(kind, ['owner', 'owner'])
      const [one, two] = circle.people as [Person, Person]
      const replies = await Promise.all([
        setRole(one, circle, two, 'member'),
        setRole(two, circle, one, 'member'),
      ])
      const statuses = replies.map((reply) => reply.status).toSorted()
      assert.deepEqual(statuses, [200, 403], 'the second is no owner any more')
      assert.equal(await ownersIn(circle), 1)
      await replay(circle, startOf(circle, ['owner', 'owner']))
    }))

  test(`two owners of one ${kind} who remove each other at once leave one owner`, () =>
    inRounds(async () => {
      const circle = await circleOf(kind, ['owner', 'owner'])
      const [one, two] = circle.people as [Person, Person]
      const replies = await Promise.all([remove(one, circle, two), remove(two, circle, one)])
      const statuses = replies.map((reply) => reply.status).toSorted()
      // Removed while waiting: the caller is a stranger now, and to strangers nothing is there.
      assert.deepEqual(statuses, [204, 404])
      assert.equal(await ownersIn(circle), 1)
    }))

  test(`owners of one ${kind} who all leave at once leave the last one, who is told why`, () =>
    inRounds(async () => {
      const circle = await circleOf(kind, ['owner', 'owner', 'owner', 'owner'])
      const leave = (person: Person, index: number) =>
        index % 2 === 0 ? remove(person, circle, person) : setRole(person, circle, person, 'observer')
      const replies = await Promise.all(circle.people.map(leave))
      const refused = replies.filter((reply) => reply.status >= 300)
      assert.deepEqual(
        refused.map((reply) => [reply.status, reply.body.code]),
        [[409, 'last_owner']],
      )
      assert.equal(await ownersIn(circle), 1)
    }))

  test(`staff can not take the last owner of the ${kind} either, however often they ask at once`, async () => {
    const circle = await circleOf(kind, ['owner', 'owner', 'member'])
    const staff = await personOf(backend, client, { ...noRoles, staff: true })
    const [one, two] = circle.people as [Person, Person]
    const asks = [one, two, one, two].flatMap((whom) => [
      setRole(staff, circle, whom, 'admin'),
      remove(staff, circle, whom),
    ])
    const replies = await Promise.all(asks)
    assert.equal(await ownersIn(circle), 1)
    assert.ok(replies.some((reply) => reply.body?.code === 'last_owner'))
  })

  test(`an admin of the ${kind} who is removed while granting grants nothing afterwards`, () =>
    inRounds(async () => {
      const roles: Role[] = ['owner', 'admin']
      const circle = await circleOf(kind, roles)
      const [owner, admin] = circle.people as [Person, Person]
      await Promise.all([
        add(admin, circle, 'admin'),
        add(admin, circle, 'member'),
        remove(owner, circle, admin),
        add(admin, circle, 'member'),
        add(admin, circle, 'admin'),
      ])
      await replay(circle, startOf(circle, roles))
      assert.equal((await add(admin, circle, 'member')).status, 404)
    }))

  test(`an owner of the ${kind} who is demoted while granting makes no owner afterwards`, () =>
    inRounds(async () => {
      const roles: Role[] = ['owner', 'owner', 'member']
      const circle = await circleOf(kind, roles)
      const [one, two, third] = circle.people as [Person, Person, Person]
      await Promise.all([
        add(two, circle, 'owner'),
        setRole(two, circle, third, 'owner'),
        setRole(one, circle, two, 'admin'),
        add(two, circle, 'owner'),
        setRole(two, circle, two, 'owner'),
      ])
      await replay(circle, startOf(circle, roles))
      assert.equal((await rolesIn(circle)).get(two.userId), 'admin')
      assert.equal((await add(two, circle, 'owner')).status, 403)
      assert.equal((await setRole(two, circle, two, 'owner')).status, 403, 'nor make themselves one again')
    }))

  test(`any changes of one ${kind} at once are each in the power of their actor, as the log tells them`, () =>
    fc.assert(
      fc.asyncProperty(
        someRoles,
        fc.array(someChange, { minLength: 4, maxLength: 12 }),
        async (roles, changes) => {
          const start: Role[] = ['owner', ...roles]
          const circle = await circleOf(kind, start)
          const at = (index: number) => circle.people[index % circle.people.length] as Person
          const replies = await Promise.all(
            changes.map(({ by, whom, role, what }) => {
              if (what === 'add') return add(at(by), circle, role)
              return what === 'remove'
                ? remove(at(by), circle, at(whom))
                : setRole(at(by), circle, at(whom), role)
            }),
          )
          for (const { status } of replies) assert.ok(status < 500, `${status}`)
          await replay(circle, startOf(circle, start))
        },
      ),
      { numRuns: 15 },
    ))

  test(`a role that was taken away in the ${kind} counts at the very next request`, async () => {
    for (const role of ROLES) {
      const circle = await circleOf(kind, ['owner', role])
      const [owner, other] = circle.people as [Person, Person]
      const path = `/api/v2/${kind}s/${circle.id}`
      assert.equal((await other.send('GET', path)).status, 200)
      assert.equal((await remove(owner, circle, other)).status, 204)
      assert.equal((await other.send('GET', path)).status, 404)
      const { body } = await other.send('GET', '/api/v2/me')
      assert.deepEqual(body[`${kind}s`], [])
    }
  })

  test(`a role that was given or changed in the ${kind} counts at the very next request`, async () => {
    const table = kind === 'organisation' ? ORGANISATION_CAPABILITIES : WORKSPACE_CAPABILITIES
    const circle = await circleOf(kind, ['owner', 'observer'])
    const [owner, other] = circle.people as [Person, Person]
    for (const role of ROLES) {
      assert.equal((await setRole(owner, circle, other, role)).status, 200)
      const may = capabilitiesOf(table, role).includes(`${kind}:members`)
      assert.equal((await other.send('GET', circle.path)).status, may ? 200 : 403, role)
    }
  })

  test(`a person who is added to the ${kind} many times at once holds one role`, () =>
    inRounds(async () => {
      const circle = await circleOf(kind, ['owner'])
      const [owner] = circle.people as [Person]
      const userId = await newKnownUser()
      const replies = await Promise.all(ROLES.map((role) => add(owner, circle, role, userId)))
      assert.deepEqual(replies.map((reply) => reply.status).toSorted(), [201, 409, 409, 409, 409, 409])
      for (const { status, body } of replies) if (status === 409) assert.equal(body.code, 'already_member')
      assert.equal((await deedsIn(circle)).length, 1)
    }))

  test(`an invitation into the ${kind} does not outlive the role by which it was made`, () =>
    inRounds(async () => {
      const roles: Role[] = ['owner', 'admin']
      const circle = await circleOf(kind, roles)
      const [owner, admin] = circle.people as [Person, Person]
      const guest = await personOf(backend, client, noRoles)
      await introduce(backend, [guest])
      const invited = await admin.send('POST', circle.path, { email: guest.email, role: 'admin' })
      assert.equal(invited.status, 202)
      const [accepted, removed] = await Promise.all([
        guest.send('POST', `/api/v2/invitations/${invited.body.id}/accept`),
        remove(owner, circle, admin),
      ])
      assert.equal(removed.status, 204)
      assert.ok([200, 404].includes(accepted.status), `${accepted.status}`)
      assert.equal((await rolesIn(circle)).has(guest.userId), accepted.status === 200)
      const late = await guest.send('POST', `/api/v2/invitations/${invited.body.id}/accept`)
      assert.equal(late.status, 404)
    }))
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

test('an organisation’s owner who is demoted while putting people into its workspace does so no longer', () =>
  inRounds(async () => {
    const circle = await circleOf('organisation', ['owner', 'owner'])
    const [one, two] = circle.people as [Person, Person]
    const { rows } = await backend.database.pool.query<{ id: string }>(
      'select id from workspaces where organisation_id = $1',
      [circle.id],
    )
    const path = `/api/v2/workspaces/${rows[0]?.id}/members`
    const put = async (role: Role) => two.send('POST', path, { user_id: await newKnownUser(), role })
    const replies = await Promise.all([
      put('owner'),
      setRole(one, circle, two, 'member'),
      put('owner'),
      put('admin'),
    ])
    const log = await deedsIn(circle)
    const demoted = log.findIndex(({ action }) => action === 'organisation.member.role_changed')
    const afterwards = log.slice(demoted + 1).filter(({ actor_id }) => actor_id === two.userId)
    assert.deepEqual(afterwards, [], 'nothing by them after it')
    assert.equal(log.length, replies.filter(({ status }) => status < 300).length)
    assert.equal((await put('member')).status, 404)
  }))

test('an invitation by a role in the old organisation does not outlive the transfer', async () => {
  const [from, to] = await Promise.all([seedTenant(backend), seedTenant(backend)])
  const roleSets = [{ ...noRoles, organisation: 'owner' } as const, { ...noRoles, staff: true }, noRoles]
  const people = await Promise.all(
    roleSets.map((effectiveRoles) => personOf(backend, client, effectiveRoles)),
  )
  const [organiser, staff, guest] = people as [Person, Person, Person]
  await settle(backend, [organiser], from)
  await introduce(backend, [guest])
  const path = `/api/v2/workspaces/${from.wid}`
  const invited = await organiser.send('POST', `${path}/members`, { email: guest.email, role: 'owner' })
  assert.equal(invited.status, 202)
  const transfer = { organisation_id: to.oid, reason: 'Sold' }
  const moved = await staff.send('POST', `/api/v2/admin/workspaces/${from.wid}/transfer`, transfer)
  assert.equal(moved.status, 200)
  assert.equal((await organiser.send('GET', path)).status, 404, 'the inviter has no access any more')
  assert.equal((await guest.send('POST', `/api/v2/invitations/${invited.body.id}/accept`)).status, 404)
  assert.equal((await guest.send('GET', path)).status, 404)
})

test('changes that meet wait in one order, so that none has to be undone', async (t) => {
  const { rows } = await backend.database.pool.query<{ deadlocks: number }>(
    'select deadlocks from pg_stat_database where datname = current_database()',
  )
  t.diagnostic(`${rows[0]?.deadlocks} deadlocks`)
  assert.equal(rows[0]?.deadlocks, 0)
})
