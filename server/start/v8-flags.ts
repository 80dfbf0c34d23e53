import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'

/** V8 fixes the sizes of its heap when the process starts, so package.json passes these two to node. */
export const HEAP_FLAGS = ['--max-semi-space-size=8', '--max-old-space-size=512']

/** V8 reads these at each collection, so they can be set at run time. ADR 0010 explains all four. */
const COLLECTOR_FLAGS = ['--no-allocation-site-pretenuring', '--heap-growing-percent=50']

export const V8_FLAGS = [...HEAP_FLAGS, ...COLLECTOR_FLAGS]

const COMPILE_CACHE = join(import.meta.dirname, '../../node_modules/.cache/node-compile')

/** Has to run before any other module is loaded: modules loaded earlier are not cached. */
export function applyNodeOptions(): void {
  for (const flag of COLLECTOR_FLAGS) setFlagsFromString(flag)
  enableCompileCache(COMPILE_CACHE)
}
