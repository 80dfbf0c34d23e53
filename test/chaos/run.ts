import { conversations } from './conversations/scenario.ts'
import { runCommand } from './framework/command.ts'
import { webhooks } from './webhooks/scenario.ts'

/** `node test/chaos/run.ts <webhooks|conversations> [--short] [--seed=…] [--faults=… --seconds=… and other sizes]` */
const [name, ...args] = process.argv.slice(2)

if (name === 'webhooks') await runCommand(webhooks, args)
else if (name === 'conversations') await runCommand(conversations, args)
else throw new Error(`unknown scenario ${name}: must be webhooks or conversations`)
