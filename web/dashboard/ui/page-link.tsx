import { Anchor, type AnchorProps, NavLink, type NavLinkProps } from '@mantine/core'
import { createLink, type LinkComponent } from '@tanstack/react-router'
import type { ComponentPropsWithRef, ReactNode } from 'react'

/** A link within a text. */
export const TextLink: LinkComponent<typeof Anchor> = createLink(Anchor)

/** A link beside other words of a sentence, which colour alone would not tell apart. */
export const SentenceLink = createLink((props: AnchorProps & ComponentPropsWithRef<'a'>) => (
  <Anchor inherit underline="always" {...props} />
))

/** A link under or beside something more important. */
export const QuietLink = createLink((props: AnchorProps & ComponentPropsWithRef<'a'>) => (
  <Anchor size="sm" c="dimmed" {...props} />
))

/** A link among other small ones. */
export const SmallLink = createLink((props: AnchorProps & ComponentPropsWithRef<'a'>) => (
  <Anchor size="sm" {...props} />
))

/** The link in a table row to the record that the row shows. */
export const RowLink = createLink((props: AnchorProps & ComponentPropsWithRef<'a'>) => (
  <Anchor inherit fw={550} {...props} />
))

/** A title that leads to the page of what it names. */
export const TitleLink = createLink((props: AnchorProps & ComponentPropsWithRef<'a'>) => (
  <Anchor inherit c="inherit" {...props} />
))

const Entry = createLink((props: NavLinkProps & ComponentPropsWithRef<'a'>) => (
  <NavLink {...props} component="a" styles={{ root: { borderRadius: 'var(--mantine-radius-md)' } }} />
))

/** An entry of the menu. It is marked on its page and on those below it. */
export function PageLink({
  to,
  label,
  isExact = false,
}: {
  to: string
  label: string
  isExact?: boolean
}): ReactNode {
  return (
    <Entry
      to={to}
      label={label}
      activeOptions={{ exact: isExact, includeSearch: false }}
      activeProps={{ active: true }}
    />
  )
}
