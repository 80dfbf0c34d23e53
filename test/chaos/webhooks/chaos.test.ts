import { it } from 'node:test'
import { runShort } from '../framework/run-short.ts'

it('delivers every committed event and repeats a delivery only after a fault, whatever crashes', (t) =>
  runShort(t, 'webhooks'))
