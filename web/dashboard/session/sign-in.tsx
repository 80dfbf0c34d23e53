import { Alert, Anchor, Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { settings } from '../settings.ts'
import { CodeField } from '../ui/code-field.tsx'
import { onSubmit } from '../ui/form.ts'
import { ProblemNote } from '../ui/problem-note.tsx'
import { useWords } from '../words/words.tsx'
import { SignInError, signIn } from './identity-store.ts'

/** Asks for a second factor only if the account has one. */
export function SignIn({ onDone }: { onDone: () => void }): ReactNode {
  const w = useWords()
  const [asksCode, setAsksCode] = useState(false)
  const { mutate, isPending, error } = useMutation({
    mutationFn: signIn,
    onSuccess: onDone,
    onError: (failure) => {
      if (failure instanceof SignInError && failure.reason === 'code_needed') setAsksCode(true)
    },
  })
  const submit = onSubmit((field) =>
    mutate({ email: field('email').trim(), password: field('password'), otp: field('otp').trim() }),
  )
  return (
    <form onSubmit={submit}>
      <Stack>
        <OtherAddress />
        <TextInput
          name="email"
          type="email"
          label={w.session.email}
          autoComplete="username"
          required
          data-autofocus
          autoFocus
        />
        <PasswordInput name="password" label={w.session.password} autoComplete="current-password" required />
        {asksCode && <CodeField label={w.session.code} help={w.session.codeHelp} />}
        <Reason error={error} />
        <Button type="submit" loading={isPending}>
          {w.session.signIn}
        </Button>
      </Stack>
    </form>
  )
}

function Reason({ error }: { error: Error | null }): ReactNode {
  const w = useWords()
  if (!error) return null
  if (!(error instanceof SignInError)) return <ProblemNote error={error} />
  return (
    <Alert color={error.reason === 'code_needed' ? 'blue' : 'red'} role="alert">
      {w.session[error.reason]}
    </Alert>
  )
}

/** The session cookie and the identity store's permission are for one address. */
function OtherAddress(): ReactNode {
  const w = useWords()
  const { origin } = new URL(settings.public_url)
  if (origin === location.origin) return null
  return (
    <Alert color="yellow">
      <Anchor href={settings.public_url}>{w.session.otherAddress(settings.public_url)}</Anchor>
    </Alert>
  )
}
