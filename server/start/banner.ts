/** Addresses, null where this process does not run it; and what the operator should know. */
export interface Started {
  backend: string | null
  identity: string | null
  metrics: string
  warnings: string[]
}

/** Said once, when everything answers. */
export function readyText({ backend, identity, metrics, warnings }: Started): string {
  const rows = [
    backend && `  Backend          ${backend}\n  API reference    ${backend}/api/docs`,
    identity && `  Identity store   ${identity}`,
    `  Metrics          ${metrics}/metrics`,
  ]
  return `
Parley is ready.

${rows.filter(Boolean).join('\n')}
${warnings.map((warning) => `\n  Note: ${warning}\n`).join('')}
Ctrl-C stops it.
`
}

export function adminText(email: string, password: string | null): string {
  return `
The first admin was made. Keep the password: it is shown only now.

  E-mail           ${email}
  Password         ${password ?? '(the one of ADMIN_PASSWORD)'}
`
}
