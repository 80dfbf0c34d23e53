import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readPassages } from '../../server/summaries/engines/extractive/passages.ts'
import { stanceOf } from '../../server/summaries/engines/extractive/stance.ts'
import { share } from './scores.ts'

const MARKS = { for: '+', against: '-', none: '0' } as const

/**
 * Whether a person who says a sentence is for or against a subject. One file per language and half: `mark subject | sentence`.
 * `improvements` are sentences such as "the pool needs warmer water", which take no side on the pool.
 */
export async function measureStances(
  half: 'tune' | 'held',
  print: (line: string) => void,
  set: 'stances' | 'improvements' = 'stances',
) {
  const folder = join(import.meta.dirname, set)
  const wrong: Record<string, number> = {}
  let [right, of] = [0, 0]
  for (const file of (await readdir(folder)).filter((name) => name.endsWith(`.${half}.txt`)).sort()) {
    const language = file.slice(0, 2)
    wrong[language] = 0
    for (const line of (await readFile(join(folder, file), 'utf8')).split('\n').filter(Boolean)) {
      const [, mark = '', subject = '', sentence = ''] = /^(\S) ([^|]+) \| (.*)$/u.exec(line) ?? []
      const [passage] = await readPassages(
        [{ id: 'u', start: 0, text: sentence }],
        language,
        new AbortController().signal,
      )
      const last = subject.split(' ').at(-1) ?? ''
      const found = passage ? MARKS[stanceOf(passage, (key) => key.startsWith(last)) ?? 'none'] : '0'
      of++
      if (found === mark) right++
      else {
        wrong[language]++
        print(`stance (${language}): ${found} instead of ${line}`)
      }
    }
  }
  return { right, of, share: share(right, of), wrong }
}
