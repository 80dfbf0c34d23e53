export interface Addresses {
  backend: string
  identity: string
  metrics: string
}

/** Said once, when everything answers. */
export function readyText({ backend, identity, metrics }: Addresses): string {
  return `
Parley is ready.

  Backend          ${backend}
  API reference    ${backend}/api/docs
  Identity store   ${identity}
  Metrics          ${metrics}/metrics

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
