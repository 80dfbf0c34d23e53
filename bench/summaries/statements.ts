import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The statement of one person, with its labels. */
interface Statement {
  text: string
  /** The subject; null if no one else speaks about it. */
  subject: string | null
  /** The words in which the person says what they ask for, are against or worry about. */
  concern: string
  /** Whether the person is against the subject: objects to more of it, or wants it to be removed. */
  objects: boolean
}

/** The statements of one project, in one language. */
export interface StatementSet {
  name: string
  language: string
  /** `tune`: read while the engine is developed. `held`: only measured. */
  half: 'tune' | 'held'
  /** `other`: ordinary statements of a second author. `indirect`: stories of a third one, from which a listener infers the concern. */
  author: 'first' | 'other' | 'indirect'
  statements: Statement[]
  /** A pattern per subject: a theme with such a name has the right name. */
  names: Map<string, RegExp>
}

const FOLDER = join(import.meta.dirname, 'statements')
/** By the end of the file's name. */
const AUTHORS: Readonly<Record<string, StatementSet['author']>> = { voices: 'other', indirect: 'indirect' }
const LABEL = /\[(!?)([^\]]+)\]/u

/** One file per language and half. `# subject: pattern` precedes its statements, and brackets enclose the concern of each. */
export async function readStatements(): Promise<StatementSet[]> {
  const files = (await readdir(FOLDER)).filter((name) => name.endsWith('.txt')).sort()
  return Promise.all(
    files.map(async (file) => {
      const [name = '', half] = file.split('.')
      if (half !== 'tune' && half !== 'held') throw new Error(`${file}: not a half`)
      const language = name.slice(0, 2)
      const author = AUTHORS[name.slice(3)] ?? 'first'
      return { name, language, half, author, ...parse(await readFile(join(FOLDER, file), 'utf8')) }
    }),
  )
}

function parse(content: string): Pick<StatementSet, 'statements' | 'names'> {
  const statements: Statement[] = []
  const names = new Map<string, RegExp>()
  let subject: string | null = null
  for (const line of content.split('\n').filter(Boolean)) {
    if (line.startsWith('#')) {
      const [name = '', pattern] = line.slice(2).split(': ')
      subject = pattern === undefined ? null : name
      if (pattern !== undefined) names.set(name, new RegExp(pattern, 'iu'))
      continue
    }
    const [, mark, concern] = LABEL.exec(line) ?? []
    if (concern === undefined) throw new Error(`No concern in: ${line}`)
    statements.push({ text: line.replace(LABEL, '$2'), subject, concern, objects: mark === '!' })
  }
  return { statements, names }
}
