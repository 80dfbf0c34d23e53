import { Button, Group, Menu } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Schemas } from '../api/client.ts'
import { useWords } from '../words/words.tsx'
import classes from './report-text.module.css'

const FORMATS = ['html', 'md', 'pdf'] as const

/** The current version on paper, as a page and as a file. */
export function Downloads({ report: { id } }: { report: Schemas['Report'] }): ReactNode {
  const w = useWords()
  const address = (format: string): string => `/api/v2/reports/${id}?format=${format}`
  const button = { size: 'xs', variant: 'default' } as const
  return (
    <Group gap="xs" className={classes['screen']}>
      <Button {...button} onClick={() => print()}>
        {w.reports.print}
      </Button>
      <Button component="a" {...button} href={address('html')} target="_blank" rel="noopener">
        {w.reports.open}
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button {...button}>{w.reports.download}</Button>
        </Menu.Target>
        <Menu.Dropdown>
          {FORMATS.map((format) => (
            <Menu.Item key={format} component="a" href={address(format)} download={`report.${format}`}>
              {w.reports.formats[format]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </Group>
  )
}
