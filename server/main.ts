import { locateProgram } from '../platform/programs/bundle.ts'
import { applyNodeOptions } from './start/v8-flags.ts'

applyNodeOptions()
await import(locateProgram(import.meta.dirname, 'start/run.ts'))
