/**
 * Returns a built-in module of Node, or undefined in runtimes without it. Unlike an import, it is invisible to bundlers, so
 * the code that calls it also runs in browsers.
 *
 * @example
 * getBuiltinModule<typeof fileModule>('node:fs')?.readFileSync(path)
 */
export function getBuiltinModule<T>(name: `node:${string}`): T | undefined {
  const { process } = globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } }
  return process?.getBuiltinModule?.(name) as T | undefined
}
