import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Certificate {
  key: string
  cert: string
}

const NEW_KEY = '-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes'

/** Creates a certificate authority with `openssl`, in a folder that `remove` deletes. */
export function createAuthority() {
  const folder = mkdtempSync(join(tmpdir(), 'egress-tls-'))
  const openssl = (command: string) =>
    execFileSync('openssl', command.split(' '), { cwd: folder, stdio: 'pipe' })
  const read = (name: string): Certificate => ({
    key: readFileSync(join(folder, `${name}.key`), 'utf8'),
    cert: readFileSync(join(folder, `${name}.crt`), 'utf8'),
  })

  function selfSigned(name: string, altName: string): Certificate {
    const subject = `-subj /CN=${name} -addext subjectAltName=${altName}`
    openssl(`req -x509 ${NEW_KEY} -keyout ${name}.key -out ${name}.crt -days 2 ${subject}`)
    return read(name)
  }

  /** For a name (`DNS:…`) or an address (`IP:…`); expired where the days are negative. */
  function issue(name: string, altName: string, days = 2): Certificate {
    writeFileSync(join(folder, `${name}.ext`), `subjectAltName=${altName}`)
    openssl(`req -new ${NEW_KEY} -keyout ${name}.key -out ${name}.csr -subj /CN=${name}`)
    const files = `-in ${name}.csr -CA ca.crt -CAkey ca.key -out ${name}.crt -extfile ${name}.ext`
    openssl(`x509 -req ${files} -CAcreateserial -days ${days}`)
    return read(name)
  }

  const { cert: ca } = selfSigned('ca', 'DNS:ca')
  return { ca, selfSigned, issue, remove: () => rmSync(folder, { recursive: true }) }
}
