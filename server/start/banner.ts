import { listChangedSettings } from '../../platform/settings.ts'
import type { StandardOutput } from '../../platform/standard-output.ts'
import { type Settings, settingsSchema } from '../config.ts'

/** Addresses are null where this process does not run the part. */
export interface Started {
  version: string
  backend: string | null
  /** Where the backend listens, if browsers reach it at another address. */
  listening: string | null
  identity: string | null
  metrics: string
  /** How many share the work. */
  processes: number
  /** The data folder; null where nothing embedded is used. */
  data: string | null
  warnings: string[]
}

export interface Banner {
  /** Resolves once the text is written out. The password is stored after that: unseen, it would lock everyone out. */
  admin(email: string, password: string | null): Promise<void>
  ready(started: Started): Promise<void>
}

const row = (name: string, value: string): string => `  ${name.padEnd(16)} ${value}\n`

export function createBanner(output: StandardOutput, settings: Settings): Banner {
  const print = (...parts: string[]) => {
    output.write(parts.join(''))
    return output.flush()
  }
  return {
    admin: (email, password) =>
      print(
        '\nFirst administrator (shown only once):\n\n',
        row('E-mail', email),
        row('Password', password ?? '(the value of ADMIN_PASSWORD)'),
      ),
    ready: ({ version, backend, listening, identity, metrics, processes, data, warnings }) =>
      print(
        `\nParley ${version} is ready.\n\n`,
        backend ? row('Backend', backend) + row('API reference', `${backend}/api/docs`) : '',
        listening ? row('Listens on', listening) : '',
        identity ? row('Identity store', identity) : '',
        row('Metrics', `${metrics}/metrics`),
        processes > 1 ? row('Processes', String(processes)) : '',
        data ? row('Data', data) : '',
        ...listChangedSettings(settingsSchema, settings).map((line, n) =>
          row(n === 0 ? 'Settings' : '', line),
        ),
        ...warnings.map((warning) => `\n  Note: ${warning}\n`),
        backend ? `\nNext: open ${backend} in a browser and sign in.\n` : '\n',
        'Press Ctrl-C to stop.\n',
      ),
  }
}
