// Models of the AI SDK and of LangChain are installed with `npm ci` in tools/gateway-clients.
import { existsSync } from 'node:fs'

const FOLDER = new URL('../../../tools/gateway-clients/node_modules/', import.meta.url)

/** True if the libraries are installed. */
export const areLibrariesInstalled: boolean = existsSync(FOLDER)

/** Imports a file of a library. */
export async function importLibrary<T>(file: string): Promise<T> {
  return (await import(new URL(file, FOLDER).href)) as T
}
