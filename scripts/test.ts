import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

/** `npm run test:only [file…]`: the given test files, or all of them. Files run side by side, each on its own database. */
const files = process.argv.slice(2)
const all = ['server', 'identity', 'speech', 'test'].map((folder) => `${folder}/**/*.test.ts`)
const { status } = spawnSync(
  process.execPath,
  [
    '--test',
    '--test-global-setup=test/support/global-setup.ts',
    // One more than the cores: files mostly wait for servers that they started.
    `--test-concurrency=${availableParallelism() + 1}`,
    '--test-timeout=180000',
    ...(files.length > 0 ? files : all),
  ],
  { stdio: 'inherit' },
)
process.exit(status ?? 1)
