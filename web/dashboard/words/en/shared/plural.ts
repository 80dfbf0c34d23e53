export const plural = (count: number, one: string, other: string): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : other}`
