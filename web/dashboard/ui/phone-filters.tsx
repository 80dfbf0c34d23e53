import { Button } from '@mantine/core'
import { type ReactNode, useId, useState } from 'react'
import { useWords } from '../words/words.tsx'
import classes from './phone-filters.module.css'

/** Filters of a list. On a phone, behind a button that says how many are chosen. */
export function PhoneFilters({ chosen, children }: { chosen: number; children: ReactNode }): ReactNode {
  const w = useWords()
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
  return (
    <>
      <Button
        variant="default"
        hiddenFrom="sm"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen(!isOpen)}
      >
        {w.common.filters(chosen)}
      </Button>
      <div id={id} className={classes['filters']} data-closed={!isOpen || undefined}>
        {children}
      </div>
    </>
  )
}
