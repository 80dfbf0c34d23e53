import { after, before, test } from 'node:test'
import { startBackend, type TestBackend } from '../../../test/support/backend.ts'
import type { Tenant } from '../../../test/support/tenants.ts'
import { assertRefusedEverywhere, newWebhookTenant } from '../../../test/support/webhooks.ts'

let backend: TestBackend
let httpsOnly: TestBackend
let tenant: Tenant
before(async () => {
  backend = await startBackend({ egress: { allowNetworks: [] } })
  httpsOnly = await startBackend({ webhooksByHttp: false, egress: { allowHttp: false } })
  tenant = await newWebhookTenant(backend)
})
after(async () => {
  await backend.stop()
  await httpsOnly.stop()
})

const unreadableUrls: [what: string, url: unknown][] = [
  ['userinfo', 'https://user:pass@example.com/'],
  ['a user alone', 'https://user@example.com/'],
  ['empty userinfo', 'https://@example.com/'],
  ['a fragment', 'https://example.com/#part'],
  ['an empty fragment', 'https://example.com/#'],
  ['ftp:', 'ftp://example.com/'],
  ['file:', 'file:///etc/passwd'],
  ['javascript:', 'javascript:alert(1)'],
  ['data:', 'data:text/plain,hello'],
  ['ws:', 'ws://example.com/'],
  ['wss:', 'wss://example.com/'],
  ['gopher:', 'gopher://example.com/'],
  ['port 0', 'https://example.com:0/'],
  ['port 65536', 'https://example.com:65536/'],
  ['a negative port', 'https://example.com:-1/'],
  ['a space', 'https://example.com/a b'],
  ['a space before it', ' https://example.com/'],
  ['a tab', 'https://exam\tple.com/'],
  ['a newline', 'https://example.com/\r\nX-Injected: 1'],
  ['NUL', 'https://example.com/\0'],
  ['a backslash', 'https://example.com\\@evil.example/'],
  ['3,000 characters', `https://example.com/${'a'.repeat(2_980)}`],
  ['2,049 characters once escaped', `https://example.com/${'ü'.repeat(400)}`],
  ['nothing', ''],
  ['no scheme', 'example.com/hook'],
  ['no host', 'https://'],
  ['a number', 7],
  ['a list', ['https://example.com/']],
  ['an object', { href: 'https://example.com/' }],
  ['null', null],
]
for (const [what, url] of unreadableUrls)
  test(`refuses a URL with 422: ${what}`, () => assertRefusedEverywhere(tenant, { url }, 'url'))

const closedHosts = `
  127.0.0.1 127.1 2130706433 0x7f.1 0x7f000001 0177.0.0.1 017700000001 127.0.0.1. ⑫⑦.⓪.⓪.①
  １２７。０。０。１ 127.255.255.254 0.0.0.0 0 [::] [::1] [0:0:0:0:0:0:0:1] [::ffff:127.0.0.1]
  [::ffff:7f00:1] [::127.0.0.1] [64:ff9b::7f00:1] [2002:7f00:1::] localhost LOCALHOST localhost.
  foo.localhost ⓛocalhost %6cocalhost %31%32%37.0.0.1 10.0.0.1 172.16.0.1 172.31.255.255
  192.168.1.1 100.64.0.1 169.254.1.1 224.0.0.1 240.0.0.1 255.255.255.255 192.0.2.1 198.18.0.1
  [fe80::1] [fc00::1] [fd12::1] [ff02::1] 169.254.169.254 2852039166 0xa9fea9fe
  [::ffff:169.254.169.254] [fd00:ec2::254] 168.63.129.16 100.100.100.200 169.254.170.2 192.0.0.192
  [64:ff9b::a9fe:a9fe]
`
for (const host of closedHosts.trim().split(/\s+/)) {
  test(`refuses http://${host}/ with 422, because it resolves to a private or reserved address`, async () => {
    await assertRefusedEverywhere(tenant, { url: `http://${host}/` }, 'url')
    await assertRefusedEverywhere(tenant, { url: `https://${host}:8443/x?y` }, 'url')
  })
}

test('refuses http: with 422 where only https: is allowed', async () => {
  const own = await newWebhookTenant(httpsOnly)
  for (const url of ['http://1.1.1.1/', 'HTTP://1.1.1.1/', 'http:1.1.1.1'])
    await assertRefusedEverywhere(own, { url }, 'url')
})
