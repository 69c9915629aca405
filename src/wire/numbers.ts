import { InterlinguaError } from '../errors.ts'
import { describe } from './json.ts'

/** Refuses settings that are no numbers, or too small to mean something: comparing with them would lift a limit in silence. */
export function checkNumbers(path: string, numbers: { readonly [name: string]: unknown }, least = 0): void {
  for (const [name, value] of Object.entries(numbers)) {
    if (value === undefined || (typeof value === 'number' && value >= least)) continue
    throw new InterlinguaError('invalid-value', `The setting '${name}' is not a number that can be used`, {
      path: `${path}/${name}`,
      found: typeof value === 'number' ? String(value) : describe(value),
      expected: `a number from ${least} on`,
      hint: 'Leave it out to get the default, or give Infinity where there is to be no limit.',
    })
  }
}
