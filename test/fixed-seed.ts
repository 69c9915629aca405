import fc from 'fast-check'

// The same cases each time, so that a red run is red for everybody; a soak looks further, and `SEED` repeats one.
const { SEED, SOAK } = process.env
if (SEED !== undefined || SOAK === undefined) fc.configureGlobal({ seed: Number(SEED ?? 20_261_115) })
