import { readFile, writeFile } from 'node:fs/promises'
import { describeSettings } from '../platform/settings.ts'
import { allProblems } from '../server/api/problems.ts'
import {
  ORGANISATION_CAPABILITIES,
  ROLES,
  type Role,
  WORKSPACE_CAPABILITIES,
} from '../server/auth/capabilities.ts'
import { TIERS } from '../server/auth/tiers.ts'
import { settingsSchema } from '../server/config.ts'
import { formatBytes, LIMITS } from '../server/tenancy/limits.ts'
import { costTable, deliveriesTable, recordingsTable } from './sizing-tables.ts'
import '../server/conversations/problems.ts'
import '../server/reports/problems.ts'
import '../server/staff/problems.ts'
import '../server/tenancy/problems.ts'
import '../server/webhooks/problems.ts'

/** Headings of the settings, by the first setting of each group. */
const SETTING_GROUPS: Record<string, string> = {
  HOST: 'Addresses and ports',
  DATA_DIR: 'Storage',
  IDENTITY_URL: 'Identity store',
  ENCRYPTION_KEY: 'Encryption and process roles',
  TRANSCRIBER: 'Speech and language models',
  TIER_GATES: 'Tiers and rate limits',
  WEBHOOK_ALLOW_HTTP: 'Webhooks',
  FAULT_POINTS: 'Logs and fault tests',
}

/** `npm run docs` writes these tables into the documents; `npm run check` fails when a document is out of date. */
const parts: { file: string; mark: string; text: string }[] = [
  { file: 'docs/self-hosting.md', mark: 'settings', text: settingsTable() },
  { file: 'docs/troubleshooting.md', mark: 'problems', text: problemsTable() },
  { file: 'docs/roles-and-tiers.md', mark: 'limits', text: limitsTable() },
  {
    file: 'docs/roles-and-tiers.md',
    mark: 'workspace-roles',
    text: rolesTable(WORKSPACE_CAPABILITIES),
  },
  {
    file: 'docs/roles-and-tiers.md',
    mark: 'organisation-roles',
    text: rolesTable(ORGANISATION_CAPABILITIES),
  },
  { file: 'docs/scaling.md', mark: 'costs', text: costTable() },
  { file: 'docs/scaling.md', mark: 'deliveries', text: deliveriesTable() },
  { file: 'docs/scaling.md', mark: 'recordings', text: recordingsTable() },
]

function settingsTable(): string {
  return describeSettings(settingsSchema)
    .flatMap(({ name, sentence, unit, default: value }) => {
      const group = SETTING_GROUPS[name]
      const head = group ? [`\n### ${group}\n`, '| variable | default | meaning |', '|---|---|---|'] : []
      return [...head, `| \`${name}\` | ${[value, unit].filter(Boolean).join(' ')} | ${sentence} |`]
    })
    .join('\n')
}

function problemsTable(): string {
  const rows = allProblems().map(([code, { status, meaning }]) => `| ${status} | \`${code}\` | ${meaning} |`)
  return ['| status | code | meaning |', '|---|---|---|', ...rows].join('\n')
}

function rolesTable(capabilities: Record<string, readonly Role[]>): string {
  const rows = Object.entries(capabilities).map(
    ([name, roles]) =>
      `| \`${name}\` | ${ROLES.map((role) => (roles.includes(role) ? '✓' : '')).join(' | ')} |`,
  )
  return [`| | ${ROLES.join(' | ')} |`, `|---|${ROLES.map(() => ':-:|').join('')}`, ...rows].join('\n')
}

function limitsTable(): string {
  const rows = Object.entries(LIMITS).map(([name, { title, max }]) => {
    const cells = TIERS.map((tier) =>
      name === 'storage' ? formatBytes(max[tier]) : max[tier].toLocaleString('en'),
    )
    return `| ${title} | ${cells.join(' | ')} |`
  })
  return [`| at most | ${TIERS.join(' | ')} |`, `|---|${TIERS.map(() => '---:|').join('')}`, ...rows].join(
    '\n',
  )
}

const write = process.argv.includes('--write')
for (const { file, mark, text } of parts) {
  const before = await readFile(file, 'utf8')
  const [begin, end] = [`<!-- ${mark}: made by npm run docs -->`, `<!-- end of ${mark} -->`]
  const [from, to] = [before.indexOf(begin), before.indexOf(end)]
  if (from < 0 || to < 0) throw new Error(`${file} has no marks for ${mark}`)
  const after = `${before.slice(0, from + begin.length)}\n${text}\n${before.slice(to)}`
  if (after === before) continue
  if (write) await writeFile(file, after)
  else {
    console.error(`${file}: the table ${mark} is out of date. Run npm run docs.`)
    process.exitCode = 1
  }
}
