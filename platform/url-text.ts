/** The URL parser drops tabs and newlines and turns `\` into `/`: the text would show a different URL than the one opened. */
export const HIDDEN_CHARACTERS = /[\s\p{Cc}\\]/u
/** Matches an empty one too (`https://@host`), which the URL parser drops. */
const USERINFO = /^[^:]*:\/*[^/?#]*@/

/** With user info before an `@`, a URL can show one host and lead to another. */
export const hasUserinfo = (text: string): boolean => {
  const url = URL.parse(text)
  return USERINFO.test(text) || (url !== null && (url.username !== '' || url.password !== ''))
}

/** Why a URL must not be shown as a link, or null. The message never repeats the value. */
export function linkProblem(text: string): string | null {
  if (HIDDEN_CHARACTERS.test(text)) return 'must not contain white space, control characters or backslashes'
  if (URL.parse(text)?.protocol !== 'https:') return 'must be an https:// URL'
  return hasUserinfo(text) ? 'must not contain a user name or password' : null
}
