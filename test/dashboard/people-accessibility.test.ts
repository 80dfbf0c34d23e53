import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newTenantOf } from '../support/tenants.ts'
import { until } from '../support/webhooks.ts'
import { axeViolations, dashboardService } from './support/dashboard.ts'

const dashboard = dashboardService()

test('all pages pass the accessibility rules in both themes, and fit on a phone', async () => {
  const { organisation, workspace } = await newTenantOf(dashboard.admin, { name: 'Ghent' })
  await dashboard.admin.post(`/api/v2/workspaces/${workspace}/members`, {
    email: 'colleague@example.com',
    role: 'member',
  })
  const page = await dashboard.open(dashboard.admin, '/profile')
  const paths = [
    '/profile',
    ...['', '/members', '/settings'].map((part) => `/workspaces/${workspace}${part}`),
    ...['', '/members', '/audit', '/settings'].map((part) => `/organisations/${organisation}${part}`),
    ...['', '/organisations', '/workspaces', '/webhooks', '/jobs', '/audit'].map((part) => `/staff${part}`),
  ]
  const wrong: string[] = []
  for (const path of paths) {
    await page.goto(`${dashboard.backend.url}${path}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' })
    wrong.push(...(await axeViolations(page)).map((found) => `${path} ${found}`))
    await page.setViewportSize({ width: 360, height: 740 })
    // The menu slides away first.
    await until(
      () => page.evaluate<number>('document.documentElement.scrollWidth'),
      (width) => width <= 360,
    ).catch(() => wrong.push(`${path} is too wide for a phone`))
    await page.setViewportSize({ width: 1280, height: 800 })
  }
  assert.deepEqual(wrong, [])
})
