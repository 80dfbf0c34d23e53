import { setImmediate } from 'node:timers/promises'
import type { PreparedReport } from '../prepare.ts'
import { type Block, Blocks } from './blocks.ts'
import { conversationsOf, sectionOf } from './body.ts'
import { frontOf } from './front.ts'
import { type Page, paginate } from './paginate.ts'
import { STYLES } from './theme.ts'
import type { Typesetter } from './typesetter.ts'

/**
 * The report on pages, before anything is drawn: the contents name pages, and every page names their number, so
 * that the whole must be known before the first page is written. This keeps the text's lines in memory, not the file.
 */
export async function layOut(report: PreparedReport, setter: Typesetter): Promise<Page[]> {
  const blocks = new Blocks(report.words.direction, setter)
  const body = paginate(await bodyOf(report, blocks)).filter((page) => page.length > 0)
  const starts = new Map(
    body.flatMap((page, at) =>
      page.flatMap(({ block, isFirst }) =>
        isFirst && block.target ? [[block.target.anchor, at + 1] as const] : [],
      ),
    ),
  )
  const front = (length: number): Page[] =>
    paginate(frontOf(report, blocks, (anchor) => length + (starts.get(anchor) ?? 0), length + body.length))
  // How many pages the contents take does not hang on the numbers in them, for which room is kept.
  return [...front(front(1).length), ...body]
}

async function bodyOf(report: PreparedReport, blocks: Blocks): Promise<Block[]> {
  const body = report.introduction.map((text, at) => blocks.text(text, STYLES.lead, at === 0 ? 0 : 9))
  for (const section of report.sections) {
    body.push(...sectionOf(section, report.words, blocks))
    // A long report takes a second to set; others are waiting for the same thread.
    await setImmediate()
  }
  return [...body, ...conversationsOf(report, blocks)]
}
