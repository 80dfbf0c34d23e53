import type { ErrorComponentProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { isProblem } from '../api/problem.ts'
import { ProblemNote } from '../ui/problem-note.tsx'
import { NotFound } from './not-found.tsx'

/** What a page shows if it cannot be shown. */
export const RouteProblem = ({ error, reset }: Pick<ErrorComponentProps, 'error' | 'reset'>): ReactNode =>
  isProblem(error, 'not_found') ? <NotFound /> : <ProblemNote error={error} retry={reset} />
