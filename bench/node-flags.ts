import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const manifest = readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')
const { scripts } = JSON.parse(manifest) as { scripts: { start: string } }

/** What `npm start` gives to node. */
export const NODE_FLAGS = scripts.start.match(/--\S+/g) ?? []
