// @ts-check
// Writes the published JSON Schemas from the tables that the parsers read: schema.json of the stored form, and
// gateway.schema.json of the configuration of a gateway.
import { writeFileSync } from 'node:fs'
import { storedSchema } from 'interlingua/schema'
import { loadSource } from './load-source.js'

const { CONFIG_FILE_SCHEMA } = await loadSource('cli/serve/config-schema.ts')

/** @type {readonly (readonly [name: string, schema: unknown])[]} */
const files = [
  ['schema.json', storedSchema()],
  ['gateway.schema.json', CONFIG_FILE_SCHEMA],
]
for (const [name, schema] of files)
  writeFileSync(new URL(`../${name}`, import.meta.url), `${JSON.stringify(schema, null, 2)}\n`)
