import { AppShell, Box, Burger, Group, ScrollArea } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link, Outlet, useParams, useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { OrganisationLinks } from '../organisations/organisation-links.tsx'
import { ProjectGate } from '../projects/project-gate.tsx'
import { ProjectLinks } from '../projects/project-links.tsx'
import { StaffLinks } from '../staff/staff-links.tsx'
import { PageLink } from '../ui/page-link.tsx'
import { useWords } from '../words/words.tsx'
import { WorkspaceLinks } from '../workspaces/workspace-links.tsx'
import { AccountMenu } from './account-menu.tsx'
import { ConnectionNote } from './connection-note.tsx'
import { Shortcuts } from './palette/shortcuts.tsx'
import classes from './shell.module.css'

export function Shell(): ReactNode {
  const w = useWords()
  const [isOpen, { toggle, close }] = useDisclosure()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const { pid, wid, oid } = useParams({ strict: false })
  // biome-ignore lint/correctness/useExhaustiveDependencies: closes when the address changes.
  useEffect(close, [path])
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 240, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'md', sm: 'xl' }}
    >
      <a href="#content" className={classes['skip']}>
        {w.common.skip}
      </a>
      <AppShell.Header className={classes['header']}>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label={w.common.menu} />
            <Link to="/" className={classes['brand']}>
              Parley
            </Link>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <Shortcuts />
            <AccountMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" component="nav" aria-label={w.common.menu} className={classes['navbar']}>
        <ScrollArea>
          <PageLink to="/" label={w.shell.home} isExact />
          {pid && <ProjectLinks projectId={pid} />}
          {wid && <WorkspaceLinks workspaceId={wid} />}
          {oid && <OrganisationLinks organisationId={oid} />}
          {path.startsWith('/staff') && <StaffLinks />}
        </ScrollArea>
      </AppShell.Navbar>
      <AppShell.Main className={classes['main']}>
        <Box id="content" tabIndex={-1} className={classes['content']}>
          {pid ? (
            <ProjectGate projectId={pid}>
              <Outlet />
            </ProjectGate>
          ) : (
            <Outlet />
          )}
        </Box>
      </AppShell.Main>
      <ConnectionNote />
    </AppShell>
  )
}
