import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './facts-list.module.css'

export type Fact = [label: string, value: ReactNode]

/** The properties of a record, one line each. */
export const FactsList = ({ facts }: { facts: readonly Fact[] }): ReactNode => (
  <dl className={classes['list']}>
    {facts.map(([label, value]) => (
      <div key={label} className={classes['row']}>
        <Text component="dt" size="sm" c="dimmed">
          {label}
        </Text>
        <Text component="dd" size="sm" m={0}>
          {value}
        </Text>
      </div>
    ))}
  </dl>
)
