import { type ReactNode, useMemo } from 'react'
import { encode } from 'uqr'
import classes from './profile.module.css'

/** Four modules, as the standard requires. */
const QUIET_ZONE = 4

/** Drawn in the page: the secret in it must not travel. */
export function QrCode({ text, label }: { text: string; label: string }): ReactNode {
  const { path, size } = useMemo(() => draw(text), [text])
  return (
    <svg viewBox={`0 0 ${size} ${size}`} className={classes['qr']} role="img" aria-label={label}>
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}

function draw(text: string): { path: string; size: number } {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET_ZONE })
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return { path: path.join(''), size }
}
