import { Button, Menu, useMantineColorScheme } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { signOut } from '../session/identity-store.ts'
import { meQuery } from '../session/me.ts'
import { useWords } from '../words/words.tsx'
import { initialsOf } from './initials.ts'
import classes from './shell.module.css'

const THEMES = ['auto', 'light', 'dark'] as const

export function AccountMenu(): ReactNode {
  const w = useWords()
  const { data: me } = useQuery(meQuery)
  const name = me?.user.name ?? me?.user.email ?? w.shell.account
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  // A new page: nothing of this user stays in memory.
  const leave = useMutation({ mutationFn: signOut, onSuccess: () => location.assign('/') })
  return (
    <Menu position="bottom-end" width={230}>
      <Menu.Target>
        <Button variant="subtle" color="gray" size="sm" className={classes['account']} title={name}>
          <span className={classes['initials']}>{initialsOf(name)}</span>
          <span className={classes['name']}>{name}</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {me && (
          <Menu.Label className={classes['person']}>
            <strong>{name}</strong>
            {me.user.email !== name && <span>{me.user.email}</span>}
          </Menu.Label>
        )}
        <Menu.Item component={Link} to="/profile">
          {w.profile.title}
        </Menu.Item>
        {me?.staff && (
          <Menu.Item component={Link} to="/staff">
            {w.staff.title}
          </Menu.Item>
        )}
        <Menu.Divider />
        <Menu.Label>{w.shell.theme}</Menu.Label>
        {THEMES.map((theme) => (
          <Menu.Item
            key={theme}
            role="menuitemradio"
            aria-checked={colorScheme === theme}
            fw={colorScheme === theme ? 700 : 400}
            onClick={() => setColorScheme(theme)}
          >
            {w.shell[theme]}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item component="a" href="/api/docs" target="_blank" rel="noopener">
          {w.shell.apiReference}
        </Menu.Item>
        <Menu.Item onClick={() => leave.mutate()}>{w.session.signOut}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
