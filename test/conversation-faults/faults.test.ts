import { it } from 'node:test'
import { runStorm } from '../support/storm.ts'

const SHORT = ['--conversations=40', '--chunks=6', '--faults=20', '--seconds=24', '--phones=10', '--drain=90']

it('keeps every chunk, every word and each event once, whatever dies', (t) =>
  runStorm(t, import.meta.dirname, SHORT))
