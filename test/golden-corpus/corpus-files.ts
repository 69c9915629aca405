import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type DialectName, dialects } from 'interlingua'
import type { GoldenIndex } from 'interlingua/golden'
import {
  type AnyGoldenCase,
  buildError,
  buildRequest,
  buildResponse,
  buildTranslation,
} from './build-cases.ts'
import { contentRequests } from './content-requests.ts'
import { errorSources } from './error-sources.ts'
import { generatedRequests } from './generated-requests.ts'
import { responseSources } from './response-sources.ts'
import { settingRequests } from './setting-requests.ts'
import { toolRequests } from './tool-requests.ts'
import { translationSources } from './translation-sources.ts'
import { formatJson } from './write-json.ts'

export const root: string = join(import.meta.dirname, '../..')

const requests = [...contentRequests, ...toolRequests, ...settingRequests, ...generatedRequests]

/** Returns all cases of the corpus as the present code builds them. */
async function buildCases(): Promise<readonly AnyGoldenCase[]> {
  return [
    ...requests.map(buildRequest),
    ...(await Promise.all(responseSources.map(buildResponse))),
    ...(await Promise.all(translationSources.map(buildTranslation))),
    ...errorSources.map(buildError),
  ]
}

/** Returns the text of each file of the corpus by its path from the root of the package. */
export async function buildFiles(): Promise<ReadonlyMap<string, string>> {
  const cases = await buildCases()
  const listed = cases.map(({ kind, name, description }) => ({
    kind,
    name,
    description,
    file: `golden/v1/${kind}s/${name}.json`,
  }))
  const index: GoldenIndex = { version: 1, dialects: Object.keys(dialects) as DialectName[], cases: listed }
  return new Map([
    ['golden/v1/index.json', formatJson(index)],
    ...listed.map(({ file }, at): [string, string] => [file, formatJson(cases[at])]),
  ])
}

/** Returns the text of each file of the corpus as it is stored. */
export function readFiles(): ReadonlyMap<string, string> {
  const names = readdirSync(join(root, 'golden'), { recursive: true, encoding: 'utf8' })
  return new Map(
    names
      .filter((name) => name.endsWith('.json'))
      .map((name) => `golden/${name.replaceAll('\\', '/')}`)
      .map((file) => [file, readFileSync(join(root, file), 'utf8')]),
  )
}
