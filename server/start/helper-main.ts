import { join } from 'node:path'
import { locateProgram } from '../../platform/programs/bundle.ts'

await import(locateProgram(join(import.meta.dirname, '..'), 'start/run-helper.ts'))
