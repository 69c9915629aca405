import { getOwnValue, type JsonObject } from '../wire/json.ts'
import { child, type Path } from '../wire/json-pointer.ts'
import { createUniqueNamer } from '../wire/unique-names.ts'
import { isEmptyOrTrueSchema } from './schema-conjunction.ts'
import { isAnnotation, type SchemaLossReporter } from './constraint-keywords.ts'
import type { LocatedSchemas, SchemaReferences } from './schema-references.ts'
import type { SchemaSubset } from './schema-subsets.ts'
import type { SchemaWritePosition } from './write-alternatives.ts'

/** Writes `$ref` schemas in one subset and names the definitions that they refer to. */
export class ReferenceWriter {
  /** The names of the definitions that were referenced, by reference. */
  readonly definitionNames: Map<string, string> = new Map<string, string>()
  readonly #subset: SchemaSubset
  readonly #refs: SchemaReferences
  readonly #report: SchemaLossReporter
  readonly #uniqueName = createUniqueNamer(new Set())

  constructor(subset: SchemaSubset, refs: SchemaReferences, report: SchemaLossReporter) {
    this.#subset = subset
    this.#refs = refs
    this.#report = report
  }

  /** Writes schemas that consist of one reference; undefined for others, and if it must be expanded. */
  write(schemas: LocatedSchemas, position: SchemaWritePosition): JsonObject | undefined {
    const [only, ...others] = schemas.filter(({ schema }) => !isEmptyOrTrueSchema(schema))
    const ref = only === undefined ? undefined : getOwnValue(Object(only.schema) as object, '$ref')
    if (only === undefined || others.length > 0 || typeof ref !== 'string') return undefined
    const { $ref: _ref, $defs: _defs, definitions: _definitions, ...rest } = only.schema as JsonObject
    const keywords = Object.keys(rest)
    const isCyclic = this.#refs.canReach(ref, ref)
    if (!keywords.every(isAnnotation)) return undefined
    // An annotation next to a reference is only kept by expanding the reference, which never ends for a cyclic one.
    if (!isCyclic && keywords.some((keyword) => this.#subset.supportedKeywords.has(keyword))) return undefined
    if (this.#refs.resolve(ref) === undefined) return undefined
    if (!this.#isSupported(ref, isCyclic, child(only.path, '$ref'), position)) return undefined
    for (const keyword of keywords) this.#report('schema-annotation', child(only.path, keyword))
    return { $ref: `#/$defs/${this.#definitionName(ref)}` }
  }

  #isSupported(
    ref: string,
    isCyclic: boolean,
    path: Path | undefined,
    { currentDefinition, isOptional }: SchemaWritePosition,
  ): boolean {
    switch (this.#subset.supportedRefs) {
      case 'none':
        return false
      case 'all':
        return true
      case 'cycles':
        return isCyclic
      case 'acyclic':
        if (isCyclic) this.#report('schema-recursion', path)
        return true
      case 'optional-cycles':
        return isOptional || !(ref === currentDefinition || this.#refs.canReach(ref, currentDefinition))
    }
  }

  #definitionName(ref: string): string {
    const known = this.definitionNames.get(ref)
    if (known !== undefined) return known
    const lastStep = ref.slice(ref.lastIndexOf('/') + 1).replaceAll(/[^\w.-]+/g, '_')
    const name = this.#uniqueName(ref === '#' || lastStep === '' ? 'root' : lastStep)
    this.definitionNames.set(ref, name)
    return name
  }
}
