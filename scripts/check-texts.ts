import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Every text of the dashboard is used, and every language has the texts of the English one and no others: the compiler reports missing
 * texts, but neither unused ones nor, in other languages, those that English no longer has.
 *
 * A text counts as used if a file names both it and the object that holds it. That can miss an unused text with a common name; asking
 * the compiler for the type of each object would take a quarter of all checks' time.
 */
const DASHBOARD = join(import.meta.dirname, '../web/dashboard')
const OTHERS = ['nl', 'de', 'fr', 'es']

const pages = globSync('**/*.{ts,tsx}', { cwd: DASHBOARD, exclude: ['words/??/**', 'api/openapi.d.ts'] }).map(
  (file) => readFileSync(join(DASHBOARD, file), 'utf8'),
)
const namesOfPages = pages.map((source) => new Set(source.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu)))

const isNamedTogether = (holder: string, name: string): boolean =>
  namesOfPages.some((names) => names.has(holder) && names.has(name))

/** Whether a page reads texts of an object by names that are known only at run time, or gives the object to something else. */
const isReadWhole = (path: string[]): boolean => {
  // A whole area is given to many components, which name the texts.
  const pattern = new RegExp(path.length > 1 ? `\\.${path.at(-1)}\\b(?!\\??\\.)` : `\\.${path[0]}\\[`)
  return pages.some((source) => pattern.test(source))
}

/** The paths of all texts. */
const pathsOf = (texts: object): string[][] =>
  Object.entries(texts).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null ? pathsOf(value).map((path) => [name, ...path]) : [[name]],
  )

const isUsed = (path: string[]): boolean => {
  const [holder = '', name = ''] = path.slice(-2)
  return isNamedTogether(holder, name) || isReadWhole(path.slice(0, -1))
}

const read = async (language: string): Promise<string[][]> =>
  pathsOf((await import(join(DASHBOARD, `words/${language}/index.ts`)))[language])

const english = await read('en')
const problems = english
  .filter((path) => !isUsed(path))
  .map((path) => `${path.join('.')}: no page shows this text. Remove it in all languages.`)
const expected = new Set(english.map((path) => path.join('.')))
for (const language of OTHERS) {
  const own = new Set((await read(language)).map((path) => path.join('.')))
  for (const name of own.difference(expected))
    problems.push(`${language}: ${name} is not in English. Remove it.`)
  for (const name of expected.difference(own)) problems.push(`${language}: ${name} is missing.`)
}

for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1
