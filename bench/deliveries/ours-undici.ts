/** Parley's dispatcher with undici as its HTTP client, to measure what our own client is worth. */
process.env['BENCH_CLIENT'] = 'undici'
await import('./ours.ts')
