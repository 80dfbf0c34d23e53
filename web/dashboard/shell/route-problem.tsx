import type { ErrorComponentProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { isProblem } from '../api/problem.ts'
import { Empty, Page } from '../ui/page.tsx'
import { TextLink } from '../ui/page-link.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'
import { useWords } from '../words/words.tsx'
import { NotFound } from './not-found.tsx'

/** The content of a page that failed to load. */
export function RouteProblem({ error, reset }: Pick<ErrorComponentProps, 'error' | 'reset'>): ReactNode {
  if (isProblem(error, 'not_found')) return <NotFound />
  if (isProblem(error, 'capability_required')) return <NotAllowed />
  return <ProblemNote error={error} retry={reset} />
}

/** The menu does not offer the page, but an old link can lead to it. */
function NotAllowed(): ReactNode {
  const w = useWords()
  return (
    <Page title={w.problems.notAllowedTitle}>
      <Empty help={w.problems.notAllowed}>
        <TextLink to="/">{w.problems.home}</TextLink>
      </Empty>
    </Page>
  )
}
