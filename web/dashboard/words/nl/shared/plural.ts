export const plural = (count: number, one: string, other: string): string =>
  `${count.toLocaleString('nl')} ${count === 1 ? one : other}`
