import { type Egress, parseTargetUrl } from '../../../delivery/index.ts'
import { invalidInput } from '../../api/problems.ts'

/** The URL as it is stored: parsed, and not one that resolves to a refused address. A name that does not resolve may do so later. */
export async function checkUrl(text: string, egress: Egress, allowHttp: boolean): Promise<string> {
  const parsed = parseTargetUrl(text, { allowHttp })
  if (!(parsed instanceof URL)) throw invalidInput({ path: 'url', message: parsed.message })
  if ((await egress.checkTarget(parsed)) === 'refused')
    throw invalidInput({ path: 'url', message: 'must not lead to a private or reserved address' })
  return parsed.href
}
