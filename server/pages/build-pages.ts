import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify, stripVTControlCharacters } from 'node:util'
import { compileCacheVariable } from '../../platform/programs/compile-cache.ts'
import { StartupError } from '../../platform/startup-error.ts'

const ROOT = join(import.meta.dirname, '../..')

/**
 * Builds the pages if their sources changed since the last build. A separate process runs the build, because the build tool would stay
 * in the memory of the service. Without changes this takes 0.1 s.
 */
export async function buildPages(script = join(ROOT, 'web/build.ts')): Promise<void> {
  try {
    await promisify(execFile)(process.execPath, [script], {
      env: { ...process.env, ...compileCacheVariable() },
    })
  } catch (cause) {
    const reason = reasonIn(String((cause as { stderr?: string }).stderr))
    const remedy = /Cannot find (package|module)/.test(reason)
      ? `Run \`npm ci\` in ${ROOT}.`
      : `Run \`npm run build\` in ${ROOT}, as the user who owns that folder.`
    throw new StartupError(`The pages could not be built. ${remedy}\n${reason}`, { cause })
  }
}

/** Finds the error message in the output of Node and the build tool, which print source lines and a stack around it. */
function reasonIn(output: string): string {
  const lines = stripVTControlCharacters(output)
    .split('\n')
    .map((line) => line.trim())
  const reason = lines.find((line) => /^(\w*Error\b|\[[A-Z_]+\])/.test(line)) ?? lines.find(Boolean)
  return (reason ?? 'unknown error').slice(0, 500)
}
