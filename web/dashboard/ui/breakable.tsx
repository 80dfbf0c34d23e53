import { Fragment, type ReactNode } from 'react'

/** An address or a name with dots: a narrow column breaks it before `@` and `.`, not within a word. */
export const Breakable = ({ text }: { text: string }): ReactNode => (
  <bdi>
    {text.split(/(?=[@.])/).map((part, n) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text do not move.
      <Fragment key={n}>
        {n > 0 && <wbr />}
        {part}
      </Fragment>
    ))}
  </bdi>
)
