import { rules } from '../../../delivery/index.ts'
import type { Copyable } from './schema.ts'

export const HEADERS: Record<string, string> = {
  'Content-Type': 'application/json',
  'User-Agent': 'Parley-Webhooks/<version>',
  'X-Service-Event': 'the type of the event',
  'X-Service-Delivery': 'the id of the delivery, the same for each of its attempts',
  'X-Service-Attempt': 'the number of the attempt, from 1',
  'X-Service-Signature': 'lowercase hex HMAC-SHA256 of the body; only when the webhook has a secret',
  'X-Service-Signature-Previous': 'the same with the previous secret; only during the overlap of a rotation',
  'webhook-id': 'the id of the event, the same for every attempt and resend',
  'webhook-timestamp': 'the time of the attempt, in seconds since 1970',
  'webhook-signature': 'v1,<base64>: the signature of Standard Webhooks; only when the webhook has a secret',
}

export const SIGNATURE = [
  'Compute the HMAC-SHA256 of the raw body, exactly as received, with the whole secret (UTF-8) as the key.',
  'Encode it as lowercase hex and compare it, in constant time, with X-Service-Signature.',
  'Reject the request when they differ.',
  'During a rotation, X-Service-Signature-Previous has the signature with the previous secret.',
  'The webhook-* headers follow Standard Webhooks: its libraries verify them and reject replayed requests.',
].join(' ')

/** A page for the author of the receiver. */
export function toMarkdown(copyable: Omit<Copyable, 'markdown'>): string {
  const { webhook, headers, signature, events, receivers } = copyable
  return [
    `# Webhook ${webhook.name ? `“${inline(webhook.name)}”` : webhook.id}`,
    `Events are sent by POST to ${code(webhook.url)} as JSON. Respond with any 2xx status within ${rules.RESPONSE_SECONDS} seconds and process the event afterwards. An event can arrive more than once: store its \`id\` to detect repeats. Failed deliveries are retried: up to ${rules.MAX_ATTEMPTS} attempts over ${rules.LIFETIME_HOURS} hours.`,
    '## Headers',
    table(headers),
    '## Signature',
    webhook.has_secret
      ? signature
      : `This webhook has no secret, so its deliveries are not signed. With a secret: ${signature}`,
    '## Events',
    ...events.flatMap(({ type, example, schema }) => [
      `### ${code(type)}`,
      block('json', JSON.stringify(example, null, 2)),
      `<details><summary>JSON Schema</summary>\n\n${block('json', JSON.stringify(schema, null, 2))}\n\n</details>`,
    ]),
    '## Receivers',
    '### Node',
    block('js', receivers.node),
    '### Python',
    block('python', receivers.python),
    '### Try it with curl',
    block('sh', receivers.curl),
    '',
  ].join('\n\n')
}

const table = (headers: Record<string, string>): string =>
  [
    '| header | |',
    '|---|---|',
    ...Object.entries(headers).map(([name, meaning]) => `| \`${name}\` | ${meaning} |`),
  ].join('\n')

/** A name is user input and must not become markup. */
const inline = (text: string): string =>
  text.replaceAll(/[\\`*_{}[\]<>()#+!|\n\r-]/g, (sign) => `&#${sign.charCodeAt(0)};`)

const code = (text: string): string => `\`${text.replaceAll('`', '%60')}\``

/** The fence is longer than any run of backticks inside. */
function block(language: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text.trimEnd()}\n${fence}`
}
