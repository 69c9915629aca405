import { readFile } from 'node:fs/promises'
import { InterlinguaError } from '../errors.ts'
import { getPackageFile } from '../node/get-package-file.ts'
import type { GoldenCaseInfo, GoldenCases, GoldenIndex, GoldenKind } from './golden-types.ts'

/**
 * Returns the cases of the golden corpus: all, or those of one kind.
 *
 * @example
 * for (const { kind, name, description } of await listGoldenCases()) console.log(kind, name, description)
 */
export async function listGoldenCases(kind?: GoldenKind): Promise<readonly GoldenCaseInfo[]> {
  const { cases } = await readGoldenFile<GoldenIndex>('golden/v1/index.json')
  return kind === undefined ? cases : cases.filter((each) => each.kind === kind)
}

/**
 * Returns a case of the golden corpus.
 *
 * @example
 * const { canonical, dialects } = await loadGoldenCase('request', 'media')
 * myEncoder(canonical) // compare with dialects.anthropic.body
 */
export async function loadGoldenCase<Kind extends GoldenKind>(
  kind: Kind,
  name: string,
): Promise<GoldenCases[Kind]> {
  const found = (await listGoldenCases(kind)).find((each) => each.name === name)
  if (found !== undefined) return readGoldenFile(found.file)
  throw new InterlinguaError('unknown-id', 'The golden corpus has no case of this kind with this name', {
    path: '/name',
    expected: 'a name that listGoldenCases() returns',
  })
}

async function readGoldenFile<T>(file: string): Promise<T> {
  return JSON.parse(await readFile(getPackageFile(file), 'utf8')) as T
}
