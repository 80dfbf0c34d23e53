/** What the producer said that PostgreSQL had told it, over all of its lives. */
export class Progress {
  readonly committed = new Set<number>()
  private readonly undone = new Set<number>()
  /** Errors that a database which is away does not explain. */
  readonly trouble: string[] = []

  hear(line: string): void {
    const [word, ...rest] = line.split(' ')
    if (word === 'committed') this.committed.add(Number(rest[0]))
    else if (word === 'undone') this.undone.add(Number(rest[0]))
    else if (word === 'trouble') this.trouble.push(rest.join(' '))
  }

  /** Where the next life begins. What it does again of what was done must make no difference. */
  firstOpen(): number {
    let first = 0
    while (this.committed.has(first) || this.undone.has(first)) first++
    return first
  }
}
