import { Button } from '@mantine/core'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { useWords } from '../../words/words.tsx'
import classes from '../shell.module.css'
import { MOD_KEY } from './mod-key.ts'
import { useRecentPages } from './recent.ts'

const Palette = lazy(() => import('./palette.tsx').then((file) => ({ default: file.Palette })))
const ShortcutSheet = lazy(() =>
  import('./shortcut-sheet.tsx').then((file) => ({ default: file.ShortcutSheet })),
)

/** The first field on the page to search with. */
function focusSearch(): void {
  document.querySelector<HTMLInputElement>('#content input[type=search]')?.focus()
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))

/** The button and the keys that open the palette, and the list of all shortcuts. Both are loaded when they are opened. */
export function Shortcuts(): ReactNode {
  const w = useWords()
  const [open, setOpen] = useState<'palette' | 'sheet' | null>(null)
  const close = () => setOpen(null)
  useRecentPages()
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey } = event
      const isPalette = (ctrlKey || metaKey) && key.toLowerCase() === 'k'
      // Single keys, not while something is typed.
      const isFree = !ctrlKey && !metaKey && !altKey && !isTyping(event.target)
      if (isPalette) setOpen('palette')
      else if (isFree && key === '?') setOpen('sheet')
      else if (isFree && key === '/') focusSearch()
      else return
      event.preventDefault()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
  return (
    <>
      <Button
        variant="default"
        size="xs"
        onClick={() => setOpen('palette')}
        // Not the library's, which the first page would load for this alone.
        rightSection={<kbd className={classes['key']}>{MOD_KEY} K</kbd>}
      >
        {w.shell.goTo}
      </Button>
      <Suspense>
        {open === 'palette' && <Palette onClose={close} />}
        {open === 'sheet' && <ShortcutSheet onClose={close} />}
      </Suspense>
    </>
  )
}
