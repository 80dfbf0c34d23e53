import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { meQuery } from '../session/me.ts'
import { Empty, Page } from '../ui/page.tsx'
import { TextLink } from '../ui/page-link.tsx'
import { useWords } from '../words/words.tsx'

/** A page for staff. Others get a sentence instead of errors; the API refuses them all the same. */
export function StaffPage({ title, children }: { title: string; children: ReactNode }): ReactNode {
  const w = useWords()
  const { data: me } = useQuery(meQuery)
  if (me && !me.staff)
    return (
      <Page title={w.staff.title}>
        <Empty title={w.staff.only} help={w.staff.onlyHelp}>
          <TextLink to="/">{w.problems.home}</TextLink>
        </Empty>
      </Page>
    )
  return (
    <Page title={title} above={w.staff.title}>
      {children}
    </Page>
  )
}
