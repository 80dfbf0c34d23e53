import { readFile, writeFile } from 'node:fs/promises'
import { describeSettings } from '../platform/settings.ts'
import { allProblems } from '../server/api/problems.ts'
import { TIERS } from '../server/auth/index.ts'
import { settingsSchema } from '../server/config.ts'
import { formatBytes, LIMITS } from '../server/tenancy/limits.ts'
import '../server/conversations/problems.ts'
import '../server/reports/problems.ts'
import '../server/tenancy/problems.ts'
import '../server/webhooks/problems.ts'

/**
 * What documents repeat of the code is made from the code: `npm run docs` writes it between marks in the documents, and
 * `npm run check` fails where a document is behind.
 */
const parts: { file: string; mark: string; text: string }[] = [
  { file: 'README.md', mark: 'settings', text: settingsTable() },
  { file: 'README.md', mark: 'problems', text: problemsTable() },
  { file: 'README.md', mark: 'limits', text: limitsTable() },
]

function settingsTable(): string {
  const rows = describeSettings(settingsSchema).map(
    ({ name, sentence, unit, default: value }) =>
      `| \`${name}\` | ${value ?? ''} | ${sentence}${unit ? ` (${unit})` : ''} |`,
  )
  return ['| variable | default | meaning |', '|---|---|---|', ...rows].join('\n')
}

function problemsTable(): string {
  const rows = allProblems().map(([code, { status, meaning }]) => `| ${status} | \`${code}\` | ${meaning} |`)
  return ['| status | code | meaning |', '|---|---|---|', ...rows].join('\n')
}

function limitsTable(): string {
  const rows = Object.entries(LIMITS).map(([name, { title, max }]) => {
    const cells = TIERS.map((tier) => (name === 'storage' ? formatBytes(max[tier]) : String(max[tier])))
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
  if (from < 0 || to < 0) throw new Error(`${file} has no place for ${mark}`)
  const after = `${before.slice(0, from + begin.length)}\n${text}\n${before.slice(to)}`
  if (after === before) continue
  if (write) await writeFile(file, after)
  else {
    console.error(`${file}: ${mark} is not what the code says. Run npm run docs.`)
    process.exitCode = 1
  }
}
