import type { ReactNode } from 'react'
import classes from './room.module.css'
import type { Trouble } from './room-state.ts'

export type SignKind = Trouble | 'recording' | 'writing' | 'paused' | 'done'

/** Each state has a shape of its own, for people who do not tell colors apart. */
const SHAPES: Record<SignKind, ReactNode> = {
  recording: <circle cx="8" cy="8" r="5" fill="currentColor" />,
  writing: <path d="M2.5 13.5 3.5 10 11 2.5 13.5 5 6 12.5Z" fill="currentColor" />,
  paused: <path d="M5 3v10M11 3v10" fill="none" stroke="currentColor" strokeWidth="3" />,
  done: <path d="M3 8.5 6.5 12 13 4.5" fill="none" stroke="currentColor" strokeWidth="2" />,
  silent: (
    <>
      <path d="M8 1.5 15 14H1Z" fill="currentColor" />
      <path d="M8 6v4M8 11.2v1.3" stroke="var(--room-tile)" strokeWidth="1.6" />
    </>
  ),
  gap: <path d="M1 8h4M11 8h4M6.5 4v8M9.5 4v8" fill="none" stroke="currentColor" strokeWidth="2" />,
  failed: <path d="M3 3l10 10M13 3 3 13" fill="none" stroke="currentColor" strokeWidth="2.4" />,
}

export const Sign = ({ kind }: { kind: SignKind }): ReactNode => (
  <svg viewBox="0 0 16 16" className={classes['sign']} data-kind={kind} aria-hidden="true">
    {SHAPES[kind]}
  </svg>
)
