import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { newTenantOf, type Tenant } from '../support/tenants.ts'
import { until } from '../support/webhooks.ts'
import { dashboardService, type Person } from './support/dashboard.ts'

const dashboard = dashboardService()

async function newOwner(name = 'Ghent'): Promise<Tenant & { person: Person }> {
  const person = await dashboard.newPerson('Mara')
  return { ...(await newTenantOf(person, { name })), person }
}

const menuOf = async (page: Page): Promise<string[]> =>
  (await page.getByRole('navigation').getByRole('link').allTextContents()).filter(Boolean)
const membersPath = ({ workspace }: Tenant) => `/workspaces/${workspace}/members`

test('an owner invites a colleague, who accepts, gets another role and is removed', async () => {
  const tenant = await newOwner()
  const jon = await dashboard.newPerson('Jon')
  const page = await dashboard.open(tenant.person, membersPath(tenant))
  await page.getByRole('button', { name: 'Invite' }).click()
  await page.getByLabel('E-mail address').fill(jon.email)
  await page.getByLabel('Role', { exact: true }).selectOption('observer')
  await page.getByRole('button', { name: 'Create the invitation' }).click()
  await page.getByText(`${jon.email} is invited`).waitFor()
  await page.getByRole('button', { name: `Withdraw the invitation of ${jon.email}` }).waitFor()

  const his = await dashboard.open(jon)
  await his.getByRole('button', { name: 'Accept' }).click()
  await his.getByRole('link', { name: 'Ghent' }).first().click()
  await his.getByRole('heading', { level: 1, name: 'Ghent' }).waitFor()
  assert.deepEqual(await menuOf(his), ['Home', 'Workspace'], 'an observer is offered nothing else')
  assert.equal(await his.getByRole('button', { name: 'New project' }).count(), 0)

  await page.reload()
  await page.getByLabel('Role of Jon').selectOption('admin')
  await until(
    () => jon.get('/api/v2/me'),
    ({ body }) => body.workspaces[0]?.role === 'admin',
  )
  await page.getByRole('button', { name: 'Actions for Jon' }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByLabel('Role of Jon').waitFor({ state: 'detached' })
  assert.equal((await jon.get(`/api/v2/workspaces/${tenant.workspace}`)).status, 404)
})

test('an invitation that was withdrawn is gone for the invited person', async () => {
  const tenant = await newOwner()
  const jon = await dashboard.newPerson('Jon')
  await tenant.person.post(`/api/v2/workspaces/${tenant.workspace}/members`, {
    email: jon.email,
    role: 'member',
  })
  const page = await dashboard.open(tenant.person, membersPath(tenant))
  const withdraw = page.getByRole('button', { name: `Withdraw the invitation of ${jon.email}` })
  await withdraw.click()
  await withdraw.waitFor({ state: 'detached' })
  assert.deepEqual((await jon.get('/api/v2/me')).body.invitations, [])
})

test('an invitation that expired is on the start page of the user who sent it, and is sent again', async () => {
  const tenant = await newOwner()
  const jon = await dashboard.newPerson('Jon')
  const invitation = { email: jon.email, role: 'member' }
  await tenant.person.post(`/api/v2/workspaces/${tenant.workspace}/members`, invitation)
  await dashboard.backend.database.pool.query(
    `update invitations set expires_at = now() - interval '1 hour' where email = $1`,
    [jon.email],
  )
  const page = await dashboard.open(tenant.person)
  const note = page.getByText(`The invitation of ${jon.email} expired`)
  await note.waitFor()
  await page.getByRole('button', { name: 'Invite again' }).click()
  await note.waitFor({ state: 'detached' })
  assert.equal((await jon.get('/api/v2/me')).body.invitations[0].role, 'member')
})

test('the last owner who leaves is told why that is refused', async () => {
  const tenant = await newOwner()
  const page = await dashboard.open(tenant.person, membersPath(tenant))
  await page.getByRole('button', { name: 'Actions for Mara' }).click()
  await page.getByRole('menuitem', { name: 'Leave' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Leave' }).click()
  assert.match(await dialog.getByRole('alert').innerText(), /owner/)
})

test('a billing user sees usage, and neither projects nor members', async () => {
  const tenant = await newOwner()
  const sam = await dashboard.newPerson('Sam')
  await tenant.person.post(`/api/v2/workspaces/${tenant.workspace}/members`, {
    user_id: sam.userId,
    role: 'billing',
  })
  const page = await dashboard.open(sam, `/workspaces/${tenant.workspace}`)
  await page.getByText('1 of 20', { exact: true }).waitFor()
  await page.getByText('Your role does not include projects').waitFor()
  assert.deepEqual(await menuOf(page), ['Home', 'Workspace'])
  await page.goto(`${dashboard.backend.url}${membersPath(tenant)}`)
  await page.getByRole('heading', { name: 'Your role does not include this page' }).first().waitFor()
})

test('a user of an organisation without a workspace finds it on the start page, and joins one', async () => {
  const tenant = await newOwner()
  const lea = await dashboard.newPerson('Léa')
  await tenant.person.post(`/api/v2/organisations/${tenant.organisation}/members`, {
    user_id: lea.userId,
    role: 'admin',
  })
  const page = await dashboard.open(lea)
  await page.getByRole('link', { name: 'Ghent' }).click()
  await page.getByRole('main').getByRole('link', { name: 'Ghent' }).click()
  await page.getByRole('button', { name: 'Add me as admin' }).click()
  await page.getByRole('button', { name: 'New project' }).waitFor()
  assert.equal((await lea.get('/api/v2/me')).body.workspaces[0].role, 'admin')
})

test('a workspace is deleted after its name is typed, with what is erased named', async () => {
  const tenant = await newOwner('Bicycle streets')
  const page = await dashboard.open(tenant.person, `/workspaces/${tenant.workspace}/settings`)
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('1 project, with recording links').waitFor()
  await dialog.getByText('0 webhooks').waitFor()
  const confirm = dialog.getByRole('button', { name: 'Delete for good' })
  assert.equal(await confirm.isDisabled(), true)
  await dialog.getByRole('textbox').fill('Bicycle')
  assert.equal(await confirm.isDisabled(), true, 'a part of the name is not enough')
  await dialog.getByRole('textbox').fill('Bicycle streets')
  await confirm.click()
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
  assert.equal((await tenant.person.get(`/api/v2/workspaces/${tenant.workspace}`)).status, 404)
})

test('a name that someone else changed in the meantime is not overwritten', async () => {
  const tenant = await newOwner()
  const path = `/api/v2/workspaces/${tenant.workspace}`
  const page = await dashboard.open(tenant.person, `/workspaces/${tenant.workspace}/settings`)
  const field = page.getByRole('textbox', { name: 'Name' })
  await field.fill('Mine')
  await tenant.person.send('PATCH', path, { name: 'Theirs' })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Someone else changed this in the meantime').waitFor()
  assert.equal(await field.inputValue(), 'Mine', 'what was typed is kept')
  assert.equal((await tenant.person.get(path)).body.name, 'Theirs')
})

test('staff change a tier with a reason, and the customer finds it in the audit log', async () => {
  const tenant = await newOwner()
  const staff = await dashboard.open(
    dashboard.admin,
    `/staff/workspaces?organisation_id=${tenant.organisation}`,
  )
  await staff.getByRole('button', { name: 'Actions for Ghent' }).click()
  await staff.getByRole('menuitem', { name: 'Change the tier' }).click()
  const dialog = staff.getByRole('dialog')
  await dialog.getByLabel('Tier').selectOption('guardian')
  assert.equal(await dialog.getByRole('button', { name: 'Apply' }).isDisabled(), true, 'without a reason')
  await dialog.getByLabel('Reason').fill('Contract 114')
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await staff.getByRole('cell', { name: 'Guardian' }).waitFor()

  const page = await dashboard.open(tenant.person, `/organisations/${tenant.organisation}/audit`)
  const rows = page.getByRole('row')
  await rows.getByText('Workspace created').waitFor()
  await page.getByRole('combobox', { name: 'Action' }).fill('Tier')
  await page.getByRole('option', { name: 'Tier changed' }).click()
  await page.getByText('Reason: Contract 114').waitFor()
  assert.equal(await rows.getByText('Workspace created').count(), 0)
  assert.equal(new URL(page.url()).searchParams.get('action'), 'workspace.tier_set')
  await page.setViewportSize({ width: 390, height: 844 })
  assert.equal(await page.getByRole('combobox', { name: 'Action' }).isVisible(), false)
  await page.getByRole('button', { name: 'Filters (1)' }).click()
  await page.getByRole('combobox', { name: 'Action' }).waitFor()

  // Staff are members of no organisation, so the log itself has to name the people.
  await staff.goto(new URL(`/staff/audit?actor_id=${tenant.person.userId}`, staff.url()).href)
  await staff.getByRole('row').getByText('Mara').first().waitFor()
})

test('people without staff rights are offered no staff pages', async () => {
  const { person } = await newOwner()
  const page = await dashboard.open(person, '/staff')
  await page.getByText('These pages are for the staff of this service').waitFor()
  assert.deepEqual(await menuOf(page), ['Home'])
  await page.getByRole('button', { name: 'Mara' }).click()
  await page.getByRole('menuitem', { name: 'Profile' }).waitFor()
  assert.equal(await page.getByRole('menuitem', { name: 'Staff' }).count(), 0)
})

test('a second factor is set up, asked for when signing in, and removed', async () => {
  const { person } = await newOwner()
  const page = await dashboard.open(person, '/profile')
  await page.getByRole('button', { name: 'Set up' }).click()
  await page.getByLabel('Your password').fill('a wrong password')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('The password is wrong.').waitFor()
  await page.getByLabel('Your password').fill(person.password)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
  const secret = await page.getByLabel('Key, if the app cannot scan').inputValue()
  const code = () => new TOTP({ secret }).generate()
  /** A code is accepted once; the next one comes after up to 30 s. */
  const forgetStep = () =>
    dashboard.backend.database.pool.query('update identity.users set last_otp_step = null where id = $1', [
      person.userId,
    ])
  await page.getByLabel('Code that the app shows now').fill(code())
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByRole('button', { name: 'Turn off' }).waitFor()

  await forgetStep()
  await page.getByRole('button', { name: 'Mara' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.locator('input[name=email]').fill(person.email)
  await page.locator('input[name=password]').fill(person.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByLabel('One-time code').fill(code())
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()

  await forgetStep()
  await page.getByRole('button', { name: 'Mara' }).click()
  await page.getByRole('menuitem', { name: 'Profile' }).click()
  await page.getByRole('button', { name: 'Turn off' }).click()
  await page.getByLabel('Code from your authenticator app').fill(code())
  await page.getByRole('button', { name: 'Turn off' }).click()
  await page.getByRole('button', { name: 'Set up' }).waitFor()
})

test('a new password ends the session, and signs in', async () => {
  const { person } = await newOwner()
  const page = await dashboard.open(person, '/profile')
  await page.getByLabel('New password').fill('another good password')
  await page.getByRole('button', { name: 'Change the password' }).click()
  const dialog = page.getByRole('dialog', { name: 'Please sign in again' })
  await dialog.locator('input[name=email]').fill(person.email)
  await dialog.locator('input[name=password]').fill('another good password')
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await dialog.waitFor({ state: 'detached' })
})

test('the language that a user chooses is that of every page, also after a reload', async () => {
  const page = await dashboard.open(await dashboard.newPerson('Mara'), '/profile')
  const languageOfPage = () => page.locator('html').getAttribute('lang')
  assert.equal(await languageOfPage(), 'en')
  for (const [name, code, title] of [
    ['Nederlands', 'nl', 'Profiel'],
    ['Deutsch', 'de', 'Profil'],
    ['Français', 'fr', 'Profil'],
    ['Español', 'es', 'Perfil'],
  ] as const) {
    await page.getByRole('combobox').click()
    await page.getByRole('option', { name }).click()
    await until(languageOfPage, (language) => language === code)
    await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
  }
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Perfil' }).waitFor()
})

test('names of strangers are shown as text', async () => {
  const markup = '<img src=x onerror=alert(1)>'
  const tenant = await newOwner(markup)
  const page = await dashboard.open(tenant.person, `/organisations/${tenant.organisation}`)
  await page.getByRole('heading', { level: 1, name: markup }).waitFor()
  for (const path of [`/workspaces/${tenant.workspace}`, membersPath(tenant)]) {
    await page.goto(`${dashboard.backend.url}${path}`)
    await page.getByRole('navigation').getByText(markup).waitFor()
    assert.equal(await page.locator('img').count(), 0, path)
  }
})
