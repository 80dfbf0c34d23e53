import { it } from 'node:test'
import { runStorm } from '../support/storm.ts'

const SHORT = [
  '--seconds=24',
  '--events=300',
  '--kills=24',
  '--dispatchers=2',
  '--latecomers=4',
  '--within=450',
]

it('loses nothing, makes nothing up and repeats only what it must, whatever dies', (t) =>
  runStorm(t, import.meta.dirname, SHORT))
