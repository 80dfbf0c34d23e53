import fc from 'fast-check'

/**
 * The same examples each time, so that a change is judged by itself. Whoever goes hunting gives another seed:
 * `PROPERTY_SEED=$RANDOM npm run test:only`.
 */
fc.configureGlobal({ seed: Number(process.env['PROPERTY_SEED'] ?? 1) })

export default fc
