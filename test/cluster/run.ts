import '../../scripts/build.ts'
import { setupS3Server } from '../../scripts/setup-s3-server.ts'
import { runCommand } from '../chaos/framework/command.ts'
import { acceptance } from './acceptance.ts'
import { clusteredConversations, clusteredWebhooks } from './scenarios.ts'
import { createUpdate } from './update.ts'

/** `node test/cluster/run.ts <acceptance|webhooks|conversations|update> [--short] [--seed=…] [--faults=… --seconds=… and other sizes]` */
const [name, ...args] = process.argv.slice(2)

await setupS3Server()
if (name === 'acceptance') await runCommand(acceptance, args)
else if (name === 'webhooks') await runCommand(clusteredWebhooks, args)
else if (name === 'conversations') await runCommand(clusteredConversations, args)
else if (name === 'update') await runCommand(await createUpdate(), args)
else throw new Error(`unknown scenario ${name}: must be acceptance, webhooks, conversations or update`)
