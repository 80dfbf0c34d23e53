import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'

/** V8 fixes the sizes of its heap when the process starts, so package.json passes these two to node. */
export const HEAP_FLAGS = ['--max-semi-space-size=8', '--max-old-space-size=512']

/** V8 reads this one at run time. ADR 0010 explains all three. */
const COLLECTOR_FLAG = '--no-allocation-site-pretenuring'

export const V8_FLAGS = [...HEAP_FLAGS, COLLECTOR_FLAG]

export const COMPILE_CACHE = join(import.meta.dirname, '../../node_modules/.cache/node-compile')

/** Has to run before any other module is loaded: modules loaded earlier are not cached. */
export function applyNodeOptions(): void {
  setFlagsFromString(COLLECTOR_FLAG)
  enableCompileCache(COMPILE_CACHE)
}
