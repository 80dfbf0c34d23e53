/**
 * The order in which a line of mixed directions is shown: the implicit rules of Unicode's bidirectional algorithm
 * (UAX 9: W1 to W7, N0 to N2, I1, I2, L2, L4). Explicit controls never get here: `plain` takes them out.
 */
type Kind = 'L' | 'R' | 'AL' | 'EN' | 'AN' | 'ES' | 'ET' | 'CS' | 'NSM' | 'WS' | 'ON'
type Strong = 'L' | 'R'

/** JavaScript's patterns know scripts and categories, not bidirectional classes: these are the classes by their content. */
const CLASSES: readonly (readonly [RegExp, Kind])[] = [
  [/[0-9\u06f0-\u06f9\u00b2\u00b3\u00b9\u2070-\u2079]/u, 'EN'],
  [/[\u0660-\u0669\u066b\u066c]/u, 'AN'],
  [/[+\-\u2212]/u, 'ES'],
  [/[#%\u00b0\u2030\u066a\u2032-\u2034\p{Sc}]/u, 'ET'],
  [/[,./:\u00a0\u202f\u060c]/u, 'CS'],
  [/\p{Mn}|\p{Me}/u, 'NSM'],
  [/[\p{sc=Arabic}\p{sc=Syriac}\p{sc=Thaana}]/u, 'AL'],
  [/[\p{sc=Hebrew}\p{sc=Nko}\p{sc=Samaritan}\p{sc=Mandaic}]/u, 'R'],
  [/\p{L}|\p{N}|\p{Mc}/u, 'L'],
  [/\p{Z}/u, 'WS'],
]

/** Every block with a letter of class R or AL or a digit of class AN: most lines have none, and are done with. */
const ANY_RTL = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

const kindOf = (char: string): Kind => CLASSES.find(([pattern]) => pattern.test(char))?.[1] ?? 'ON'

export const isRtlLetter = (char: string): boolean => ['R', 'AL'].includes(kindOf(char))

/** By the first letter that has a direction (P2, P3). */
export function directionOf(text: string, otherwise: 'ltr' | 'rtl'): 'ltr' | 'rtl' {
  const strong = /\p{L}/u.exec(text)?.[0]
  if (strong === undefined) return otherwise
  return isRtlLetter(strong) ? 'rtl' : 'ltr'
}

/** The embedding level of every UTF-16 unit: even is left to right. */
export function levelsOf(text: string, direction: 'ltr' | 'rtl'): number[] {
  const base = direction === 'rtl' ? 1 : 0
  if (base === 0 && !ANY_RTL.test(text)) return Array<number>(text.length).fill(0)
  const kinds = Array.from(text).flatMap((char) => Array<Kind>(char.length).fill(kindOf(char)))
  resolveWeak(kinds, base === 1 ? 'R' : 'L')
  resolveBrackets(text, kinds, base === 1 ? 'R' : 'L')
  resolveNeutral(kinds, base === 1 ? 'R' : 'L')
  return kinds.map((kind) => levelOf(kind, base))
}

/** I1 and I2. */
function levelOf(kind: Kind, base: number): number {
  if (base === 1) return kind === 'R' ? 1 : 2
  return kind === 'L' ? 0 : kind === 'R' ? 1 : 2
}

/** W1 to W7: marks, numbers and what stands in and around them. */
function resolveWeak(kinds: Kind[], around: Strong): void {
  each(kinds, (kind, at) => (kind === 'NSM' ? (kinds[at - 1] ?? around) : kind))
  afterStrong(kinds, around, (strong, kind) => (kind === 'EN' && strong === 'AL' ? 'AN' : kind))
  each(kinds, (kind) => (kind === 'AL' ? 'R' : kind))
  each(kinds, (kind, at) => separatorOf(kind, kinds[at - 1], kinds[at + 1]))
  eachRun(kinds, ['ET'], (before, after) => (before === 'EN' || after === 'EN' ? 'EN' : 'ON'))
  each(kinds, (kind) => (kind === 'ES' || kind === 'CS' ? 'ON' : kind))
  afterStrong(kinds, around, (strong, kind) => (kind === 'EN' && strong === 'L' ? 'L' : kind))
}

/** W4: one sign between two numbers of a kind is part of the number. */
function separatorOf(kind: Kind, before: Kind | undefined, after: Kind | undefined): Kind {
  if (before === undefined || before !== after) return kind
  if (before === 'EN' && (kind === 'ES' || kind === 'CS')) return 'EN'
  return before === 'AN' && kind === 'CS' ? 'AN' : kind
}

/** N0: brackets go with what they enclose, if that has the paragraph's direction or that of the words before them. */
function resolveBrackets(text: string, kinds: Kind[], around: Strong): void {
  for (const [open, close] of bracketPairs(text, kinds)) {
    const inside = new Set(kinds.slice(open + 1, close).map(strongOf))
    if (inside.has(around)) kinds[open] = kinds[close] = around
    else if (inside.has('L') || inside.has('R'))
      kinds[open] = kinds[close] = strongBefore(kinds, open) ?? around
  }
}

function strongBefore(kinds: readonly Kind[], end: number): Strong | null {
  for (let at = end - 1; at >= 0; at--) {
    const strong = strongOf(kinds[at] as Kind)
    if (strong) return strong
  }
  return null
}

const BRACKETS = '()[]{}'

/** The algorithm's own bound, which also keeps a text of nothing but brackets from taking long. */
const DEEPEST = 63

/** By their opening ones (BD16). Whatever stands open within a pair when it closes has no pair. */
function bracketPairs(text: string, kinds: readonly Kind[]): [open: number, close: number][] {
  const pairs: [open: number, close: number][] = []
  const opened: { sign: number; at: number }[] = []
  for (const [at, kind] of kinds.entries()) {
    const sign = kind === 'ON' ? BRACKETS.indexOf(text[at] as string) : -1
    if (sign < 0) continue
    if (opened.length > DEEPEST) break
    if (sign % 2 === 0) opened.push({ sign, at })
    const pair = opened.findLastIndex((one) => sign === one.sign + 1)
    if (pair >= 0) pairs.push([opened.splice(pair)[0]?.at as number, at])
  }
  return pairs.toSorted(([one], [other]) => one - other)
}

const strongOf = (kind: Kind): Strong | null =>
  kind === 'L' ? 'L' : kind === 'R' || kind === 'EN' || kind === 'AN' ? 'R' : null

/** N1 and N2: what has no direction takes that of both its sides, or else the paragraph's. */
function resolveNeutral(kinds: Kind[], around: Strong): void {
  const side = (kind: Kind | undefined): Strong => (kind === undefined ? around : kind === 'L' ? 'L' : 'R')
  eachRun(kinds, ['WS', 'ON'], (before, after) => (side(before) === side(after) ? side(before) : around))
}

function each(kinds: Kind[], change: (kind: Kind, at: number) => Kind): void {
  for (const [at, kind] of kinds.entries()) kinds[at] = change(kind, at)
}

function afterStrong(kinds: Kind[], around: Strong, change: (strong: Kind, kind: Kind) => Kind): void {
  let strong: Kind = around
  each(kinds, (kind) => {
    if (kind === 'L' || kind === 'R' || kind === 'AL') strong = kind
    return change(strong, kind)
  })
}

/** Every run of the given kinds becomes one kind, chosen by what stands before and after it. */
function eachRun(
  kinds: Kind[],
  members: readonly Kind[],
  choose: (before: Kind | undefined, after: Kind | undefined) => Kind,
): void {
  for (let start = 0; start < kinds.length; start++) {
    let end = start
    while (end < kinds.length && members.includes(kinds[end] as Kind)) end++
    if (end > start) kinds.fill(choose(kinds[start - 1], kinds[end]), start, end)
    start = Math.max(start, end - 1)
  }
}

/** L2: positions of runs, from left to right, by their levels in reading order. */
export function visualOrder(levels: readonly number[]): number[] {
  const order = levels.map((_, at) => at)
  for (let level = Math.max(0, ...levels); level > 0; level--) {
    for (let start = 0; start < order.length; start++) {
      let end = start
      while (end < order.length && (levels[order[end] as number] as number) >= level) end++
      if (end > start) order.splice(start, end - start, ...order.slice(start, end).reverse())
      start = Math.max(start, end - 1)
    }
  }
  return order
}

const MIRRORED = '()[]{}<>«»‹›'
/** L4: in text from right to left, an opening bracket opens to the left. */
export const mirrored = (text: string): string =>
  text.replace(/[()[\]{}<>«»‹›]/g, (sign) => MIRRORED[MIRRORED.indexOf(sign) ^ 1] ?? sign)
