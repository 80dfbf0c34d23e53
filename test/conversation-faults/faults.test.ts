import { it } from 'node:test'
import { runStorm } from '../support/storm.ts'

const SHORT = [
  '--conversations=40',
  '--chunks=6',
  '--faults=20',
  '--seconds=24',
  '--phones=10',
  '--drain=120',
  '--within=450',
]

it('keeps every chunk, file, text and report, and each event once, whatever dies', (t) =>
  runStorm(t, import.meta.dirname, SHORT))
