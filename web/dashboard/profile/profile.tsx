import {
  Button,
  Card,
  Group,
  SegmentedControl,
  Select,
  SimpleGrid,
  Skeleton,
  Stack,
  Text,
  TextInput,
  Title,
  useMantineColorScheme,
} from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { meQuery } from '../session/me.ts'
import { accountQuery, changeAccount, type OwnAccount } from '../session/own-account.ts'
import { onSubmit } from '../ui/form.ts'
import { Page } from '../ui/page.tsx'
import { changeLanguage, LANGUAGES, type Language, language } from '../words/language.ts'
import { useWords } from '../words/words.tsx'
import { AccountErrorNote } from './account-error-note.tsx'
import { Password } from './password.tsx'
import { StaticToken } from './static-token.tsx'
import { TwoFactor } from './two-factor.tsx'

export function Profile(): ReactNode {
  const w = useWords()
  const { data: me } = useQuery(meQuery)
  const { data: account, error } = useQuery(accountQuery)
  return (
    <Page title={w.profile.title}>
      <Stack maw={680} w="100%">
        <AccountErrorNote error={error} />
        {!account && !error && <Skeleton h={{ base: 361, xs: 252 }} />}
        {account && <Person account={account} />}
        <Appearance />
        {account && <TwoFactor isOn={Boolean(account.tfa_secret)} />}
        {account && <Password email={account.email} />}
        {/* The embedded identity store lets only administrators set a token. */}
        {account && me?.staff && <StaticToken isSet={Boolean(account.token)} />}
      </Stack>
    </Page>
  )
}

function Person({ account }: { account: OwnAccount }): ReactNode {
  const w = useWords()
  const client = useQueryClient()
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: changeAccount,
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: accountQuery.queryKey }),
        client.invalidateQueries({ queryKey: meQuery.queryKey }),
      ]),
  })
  const submit = onSubmit((field) =>
    mutate({ first_name: field('first_name').trim() || null, last_name: field('last_name').trim() || null }),
  )
  return (
    <Card withBorder component="section" aria-labelledby="person">
      <Title order={2} id="person" mb="xs">
        {w.profile.person}
      </Title>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <TextInput
              name="first_name"
              label={w.profile.firstName}
              defaultValue={account.first_name ?? ''}
              autoComplete="given-name"
              maxLength={255}
            />
            <TextInput
              name="last_name"
              label={w.profile.lastName}
              defaultValue={account.last_name ?? ''}
              autoComplete="family-name"
              maxLength={255}
            />
          </SimpleGrid>
          <TextInput
            label={w.profile.email}
            description={w.profile.emailHelp}
            value={account.email ?? ''}
            readOnly
            variant="filled"
          />
          <AccountErrorNote error={error} />
          <Group justify="end">
            {isSuccess && (
              <Text size="sm" c="dimmed" role="status">
                {w.profile.saved}
              </Text>
            )}
            <Button type="submit" loading={isPending}>
              {w.common.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  )
}

const THEMES = ['auto', 'light', 'dark'] as const

function Appearance(): ReactNode {
  const w = useWords()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Card withBorder component="section">
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2} id="language">
            {w.profile.language}
          </Title>
          <Select
            aria-labelledby="language"
            value={language}
            onChange={(value) => value && changeLanguage(value)}
            allowDeselect={false}
            w={160}
            data={Object.entries(LANGUAGES).map(([value, label]) => ({ value: value as Language, label }))}
          />
        </Group>
        <Group justify="space-between">
          <Title order={2} id="theme">
            {w.profile.theme}
          </Title>
          <SegmentedControl
            aria-labelledby="theme"
            value={colorScheme}
            onChange={(value) => setColorScheme(value)}
            data={THEMES.map((value) => ({ value, label: w.shell[value] }))}
          />
        </Group>
      </Stack>
    </Card>
  )
}
