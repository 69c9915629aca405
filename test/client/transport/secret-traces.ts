import { inspect } from 'node:util'
import { InterlinguaError } from 'interlingua'

/** Everything that can be found in a value: as text, as JSON, by inspection, and by walking its properties. */
export function tracesOf(value: unknown): string {
  const deep = inspect(value, { depth: null, showHidden: true, getters: true, maxArrayLength: null })
  const json = JSON.stringify(value) ?? ''
  const stacks: string[] = []
  const seen = new Set<unknown>()
  const walk = (each: unknown): void => {
    if (typeof each === 'string') stacks.push(each)
    if ((typeof each !== 'object' && typeof each !== 'function') || each === null || seen.has(each)) return
    seen.add(each)
    for (const key of Reflect.ownKeys(each)) {
      const property = Object.getOwnPropertyDescriptor(each, key)
      walk(property?.value)
    }
    if (each instanceof InterlinguaError) walk((each as { body?: unknown }).body)
    if (each instanceof Error) walk([each.message, each.stack, String(each), each.cause])
  }
  walk(value)
  return [deep, json, ...stacks].join('\n')
}
