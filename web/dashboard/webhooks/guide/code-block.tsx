import { Button, Code, CopyButton } from '@mantine/core'
import type { ReactNode } from 'react'
import { useWords } from '../../words/words.tsx'
import classes from './code-block.module.css'

/** Text of a machine, shown as it is. It can be reached by keyboard, so that it can be scrolled. */
export function CodeBlock({ label, text }: { label: string; text: string }): ReactNode {
  const w = useWords()
  return (
    <div className={classes['frame']}>
      <Code block className={classes['code']} tabIndex={0} role="region" aria-label={label} dir="ltr">
        {text}
      </Code>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Button
            size="compact-xs"
            variant="default"
            className={classes['copy']}
            onClick={copy}
            aria-label={`${copied ? w.common.copied : w.common.copy}: ${label}`}
          >
            {copied ? w.common.copied : w.common.copy}
          </Button>
        )}
      </CopyButton>
    </div>
  )
}

/** JSON with line breaks; other text as it is. */
export function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
