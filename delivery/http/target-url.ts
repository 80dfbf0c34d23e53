import { HIDDEN_CHARACTERS, hasUserinfo } from '../../platform/url-text.ts'

const MAX_LENGTH = 2_048
const MAX_HOST = 253

/** The rules for a webhook's URL, on create and update and at each attempt. The message never repeats the value. */
export function parseTargetUrl(
  text: string,
  { allowHttp }: { allowHttp: boolean },
): URL | { message: string } {
  if (text.length > MAX_LENGTH) return { message: 'must be at most 2,048 characters long' }
  if (HIDDEN_CHARACTERS.test(text))
    return { message: 'must not contain white space, control characters or backslashes' }
  const url = URL.parse(text)
  if (url === null) return { message: 'must be a valid absolute URL' }
  const message = violatedRule(text, url, allowHttp)
  return message === null ? url : { message }
}

function violatedRule(text: string, url: URL, allowHttp: boolean): string | null {
  if (url.protocol !== 'https:' && !(allowHttp && url.protocol === 'http:'))
    return allowHttp ? 'must begin with https:// or http://' : 'must begin with https://'
  if (hasUserinfo(text)) return 'must not contain a user name or password'
  if (text.includes('#')) return 'must not contain a fragment (#)'
  if (url.port === '0') return 'must not use port 0'
  if (url.hostname === '' || url.hostname.length > MAX_HOST)
    return 'must have a host name of at most 253 characters'
  // The escaped form, which is longer, is stored and checked again here.
  if (url.href.length > MAX_LENGTH) return 'must be at most 2,048 characters long when escaped'
  return null
}
