export const session = {
  title: 'Sign in',
  again: 'Please sign in again',
  againHelp: 'Your session has ended. This page stays as it is.',
  email: 'E-mail address',
  password: 'Password',
  code: 'One-time code',
  codeHelp: 'Six digits from your authenticator app',
  signIn: 'Sign in',
  signOut: 'Sign out',
  wrong_password:
    'The e-mail address or the password is wrong. After many wrong attempts, signing in is locked for 15 minutes.',
  code_needed: 'This account has a second factor. Enter the code from your authenticator app.',
  wrong_code: 'The code is wrong or has expired. Enter the newest one.',
  too_many: 'Too many attempts. Wait a minute, then try again.',
  other: 'The identity store refused to sign you in. Ask your operator.',
  otherAddress: (url: string) => `Signing in works at ${url} only.`,
}
