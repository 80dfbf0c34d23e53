import type { Labels } from '../render/labels.ts'
import { addresses } from './addresses.ts'
import { isPhone, PHONES } from './phones.ts'

const PART = String.raw`[\p{L}\p{N}_%+-]+`
const DOMAIN = 'com|org|net|info|eu|nl|de|fr|es|it|be|at|ch|uk|io|gov|edu'
/** Also as people say it: "anna at example dot org". */
const EMAILS = new RegExp(
  [
    String.raw`(?<![\p{L}\p{N}])${PART}(?:\.${PART})*@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+`,
    String.raw`(?<![\p{L}\p{N}])${PART}(?: (?:dot|punt|Punkt|point|punto) ${PART})* (?:at|apenstaartje|ät|arobase|arroba|chiocciola) ${PART}(?:(?: (?:dot|punt|Punkt|point|punto) |\.)${PART})* ?(?:dot|punt|Punkt|point|punto|\.) ?(?:${DOMAIN})(?!\p{L})`,
  ].join('|'),
  'giu',
)

/** Hides e-mail addresses, telephone numbers, streets with a house number, and postcodes. */
export function redactContacts(
  text: string,
  { hiddenEmail, hiddenPhone, hiddenAddress }: Pick<Labels, 'hiddenEmail' | 'hiddenPhone' | 'hiddenAddress'>,
): string {
  return text
    .replace(EMAILS, hiddenEmail)
    .replace(addresses(), hiddenAddress)
    .replace(PHONES, (match) => (isPhone(match) ? hiddenPhone : match))
    .replaceAll(`${hiddenAddress}, ${hiddenAddress}`, hiddenAddress)
}
