import { createHmac, hkdfSync } from 'node:crypto'
import { addressKeys } from '../../platform/limits/client-address.ts'

/** A keyed digest of a client address, so that the table alone does not reveal where users are. */
export type AddressDigest = (address: string) => Buffer

export function createAddressDigest(identitySecret: string): AddressDigest {
  const key = Buffer.from(hkdfSync('sha256', identitySecret, '', 'parley identity: known addresses', 32))
  return (address) => createHmac('sha256', key).update(addressKeys(address).host).digest()
}
