import { Fragment, type ReactNode } from 'react'

/** An address that a narrow column breaks before `@` and `.`, not within a word. */
export const EmailAddress = ({ address }: { address: string }): ReactNode => (
  <bdi>
    {address.split(/(?=[@.])/).map((part, n) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of an address do not move.
      <Fragment key={n}>
        {n > 0 && <wbr />}
        {part}
      </Fragment>
    ))}
  </bdi>
)
