// @ts-check
// Writes schema.json, the published JSON Schema of the stored form, from the tables that the parsers read.
import { writeFileSync } from 'node:fs'
import { storedSchema } from 'interlingua/schema'

writeFileSync(new URL('../schema.json', import.meta.url), `${JSON.stringify(storedSchema(), null, 2)}\n`)
