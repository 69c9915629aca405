import { isObject } from '../wire/json.ts'

/**
 * An environment variable, where there are any. The one place that looks for the platform's `process`, by name and at the time
 * of the call: browsers and workers have none, and go on without.
 */
export function environmentVariable(name: string): string | undefined {
  const platform: unknown = Reflect.get(globalThis, 'process')
  const variables = isObject(platform) ? platform['env'] : undefined
  const value = isObject(variables) ? variables[name] : undefined
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}
