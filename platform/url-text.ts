/** The parser drops tabs and newlines and turns `\` into `/`: a reader would see another address than the one that is opened. */
export const HIDDEN_CHARACTERS = /[\s\p{Cc}\\]/u
/** Also an empty one (`https://@host`), which the parser drops. */
const USERINFO = /^[^:]*:\/*[^/?#]*@/

/** Text before an `@` can show one host while the address leads to another. */
export const hasUserinfo = (text: string): boolean => {
  const url = URL.parse(text)
  return USERINFO.test(text) || (url !== null && (url.username !== '' || url.password !== ''))
}

/** Why an address must not be shown to people as a link, or null. The message never repeats the value. */
export function linkProblem(text: string): string | null {
  if (HIDDEN_CHARACTERS.test(text)) return 'must not contain white space, control characters or backslashes'
  if (URL.parse(text)?.protocol !== 'https:') return 'must be an https:// address'
  return hasUserinfo(text) ? 'must not contain a user name or password' : null
}
