import { it } from 'node:test'
import { runShort } from '../framework/run-short.ts'

it('keeps every chunk, file, text entry and report, and each event once, whatever crashes', (t) =>
  runShort(t, 'conversations'))
