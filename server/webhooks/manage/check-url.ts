import { type Egress, parseTargetUrl } from '../../../delivery/index.ts'
import { invalidInput } from '../../api/problems.ts'

/** The URL as it is stored: parsed and normalised. A host name that does not resolve yet is accepted. */
export async function checkUrl(text: string, egress: Egress, allowHttp: boolean): Promise<string> {
  const parsed = parseTargetUrl(text, { allowHttp })
  if (!(parsed instanceof URL)) throw invalidInput({ path: 'url', message: parsed.message })
  if ((await egress.checkTarget(parsed)) === 'refused')
    throw invalidInput({ path: 'url', message: 'must not resolve to a private or reserved IP address' })
  return parsed.href
}
