import { type Json, type JsonObject, ownValue } from '../wire/json.ts'
import { below, type Path } from '../wire/pointer.ts'
import { listKeywords } from './arrays.ts'
import { type Clause, type Conjunction, conjunctionOf, holdsAlways, said } from './conjunction.ts'
import { areExclusive } from './exclusive.ts'
import { isAnnotation, keptKeywords, type Lose, subjectOf } from './keywords.ts'
import { objectKeywords } from './objects.ts'
import type { Place, Writer } from './place.ts'
import type { Placed, References } from './refs.ts'
import { oneOf, orNull, spellTypes, withRemarks } from './spelling.ts'
import type { Subset, TypeName } from './targets.ts'
import { groupsOf, typesOf, valuesOf } from './values.ts'

/** What is written at most: a small schema can mean an endless one. */
const MAX_NODES = 10_000
/** Each level of a schema is two of JSON, of which there may be 200. */
const MAX_LEVELS = 90
/** How often a recursive schema is expanded where the target has no references; `schema-recursion` names the number. */
const UNROLLED = 3

const MAX_ALTERNATIVES = 64

const NONE: JsonObject = Object.freeze({})

/** Writes schemas in one subset. */
export class Walk implements Writer {
  readonly subset: Subset
  readonly lose: Lose
  readonly #refs: References
  /** The definitions that are referred to, by reference. */
  readonly names: Map<string, string> = new Map<string, string>()
  #nodes = 0

  constructor(subset: Subset, refs: References, lose: Lose) {
    this.subset = subset
    this.#refs = refs
    this.lose = lose
  }

  /** Schemas that must all hold, written as one; undefined where nothing satisfies them. */
  node(schemas: readonly Placed[], place: Place): JsonObject | undefined {
    return this.#reference(schemas, place) ?? this.body(schemas, place)
  }

  /** The same, never as a mere reference. */
  body(schemas: readonly Placed[], place: Place): JsonObject | undefined {
    if (++this.#nodes > MAX_NODES || place.depth > MAX_LEVELS) {
      this.lose('schema-size', undefined)
      return NONE
    }
    const conjunction = conjunctionOf(schemas, {
      refs: this.#refs,
      lose: this.lose,
      follow: (ref, at) => this.#mayFollow(ref, at, place),
    })
    if (conjunction.never) return undefined
    for (const { branches, at, only } of conjunction.unions) {
      // More of them than can be written are lost as a whole.
      if (only && branches.length <= MAX_ALTERNATIVES && !areExclusive(branches, this.#refs))
        this.lose('schema-one-of', at)
    }
    const here = { ...place, stack: [...place.stack, ...conjunction.followed] }
    return conjunction.unions.length > 0
      ? this.#union(conjunction, here)
      : this.#single(conjunction.clauses, here, schemas[0]?.at)
  }

  #mayFollow(ref: string, at: Path | undefined, { stack }: Place): boolean {
    if (stack.filter((other) => other === ref).length < UNROLLED) return true
    this.lose('schema-recursion', at)
    return false
  }

  /** A lone reference, where the subset takes it. */
  #reference(schemas: readonly Placed[], place: Place): JsonObject | undefined {
    const [only, ...others] = schemas.filter(({ schema }) => !holdsAlways(schema))
    const ref = only === undefined ? undefined : ownValue(Object(only.schema) as object, '$ref')
    if (only === undefined || others.length > 0 || typeof ref !== 'string') return undefined
    const { $ref: _ref, $defs: _defs, definitions: _definitions, ...rest } = only.schema as JsonObject
    const remarks = Object.keys(rest)
    const cyclic = this.#refs.leads(ref, ref)
    // What is said beside a reference can only be kept by writing it out, which has no end if it leads to itself.
    if (!remarks.every(isAnnotation) || (!cyclic && remarks.some((word) => this.subset.keeps.has(word))))
      return undefined
    if (this.#refs.resolve(ref) === undefined || !this.#takes(ref, cyclic, below(only.at, '$ref'), place))
      return undefined
    for (const word of remarks) this.lose('schema-annotation', below(only.at, word))
    return { $ref: `#/$defs/${this.#nameOf(ref)}` }
  }

  #takes(ref: string, cyclic: boolean, at: Path | undefined, { current, optional }: Place): boolean {
    switch (this.subset.refs) {
      case 'none':
        return false
      case 'all':
        return true
      case 'cycles':
        return cyclic
      case 'acyclic':
        if (cyclic) this.lose('schema-recursion', at)
        return true
      case 'optional-cycles':
        return optional || !(ref === current || this.#refs.leads(ref, current))
    }
  }

  #nameOf(ref: string): string {
    const known = this.names.get(ref)
    if (known !== undefined) return known
    const word =
      ref
        .split('/')
        .at(-1)
        ?.replaceAll(/[^\w.-]+/g, '_') ?? ''
    const base = ref === '#' || word === '' ? 'root' : word
    const taken = new Set(this.names.values())
    let name = base
    for (let count = 2; taken.has(name); count++) name = `${base}_${count}`
    this.names.set(ref, name)
    return name
  }

  /** Alternatives: what must hold besides is said in each of them, for many providers take nothing beside a union. */
  #union({ clauses, unions }: Conjunction, place: Place): JsonObject | undefined {
    const { shared, remarks } = this.#setRemarksAside(clauses)
    let choices: readonly (readonly Placed[])[] = [shared]
    for (const { branches, at } of unions) {
      if (choices.length * branches.length > MAX_ALTERNATIVES) this.lose('schema-union', at)
      else choices = choices.flatMap((choice) => branches.map((branch) => [...choice, branch]))
    }
    const deeper = { ...place, depth: place.depth + 1 }
    const written = choices
      .map((choice) => this.node(choice, deeper))
      .filter((schema) => schema !== undefined)
    const union = oneOf(written, this.subset)
    return union === undefined ? undefined : withRemarks(union, remarks)
  }

  #setRemarksAside(clauses: readonly Clause[]): {
    readonly shared: readonly Placed[]
    readonly remarks: JsonObject
  } {
    const split = clauses.map(({ keywords, at }) => {
      const [remarks, rest] = [true, false].map((wanted) =>
        Object.fromEntries(Object.entries(keywords).filter(([word]) => isAnnotation(word) === wanted)),
      )
      return { remarks: { keywords: remarks ?? {}, at }, rest: { schema: rest, at } }
    })
    const remarks = split.map(({ remarks: own }) => own)
    return {
      shared: split.map(({ rest }) => rest).filter(({ schema }) => !holdsAlways(schema)),
      remarks: keptKeywords(remarks, undefined, this.subset, this.lose),
    }
  }

  #single(clauses: readonly Clause[], place: Place, at: Path | undefined): JsonObject | undefined {
    const types = typesOf(clauses)
    const values = valuesOf(clauses, types)
    if (types?.size === 0 || values?.length === 0) return undefined
    if (values !== undefined) return this.#listed(values, clauses, types)
    const implied = types ?? this.#implied(clauses)
    if (implied === undefined) return this.#anything(clauses, place, at)
    const names = [...implied].filter((type) => type !== 'null')
    const nullable = names.length < implied.size
    if (names.length === 0) return this.#typed(clauses, ['null'], place)
    if (names.length > 1 && !this.#fitsList(names, clauses)) return this.#byType(clauses, implied, place)
    const written = this.#typed(clauses, names, place)
    if (!nullable) return written
    return written === undefined ? this.#typed(clauses, ['null'], place) : orNull(written, this.subset)
  }

  /** The type that the keywords are about, where the subset wants one to be said. */
  #implied(clauses: readonly Clause[]): ReadonlySet<TypeName> | undefined {
    const subject = this.subset.typed ? subjectOf(clauses) : undefined
    if (subject === undefined) return undefined
    this.lose('schema-type', clauses[0]?.at)
    return new Set([subject])
  }

  #anything(clauses: readonly Clause[], place: Place, at: Path | undefined): JsonObject | undefined {
    if (this.subset.strict) this.lose('not-strict-any', at)
    if (!this.subset.typed) return this.#written(clauses, undefined, place)
    // Keywords of several types need several types, so all that can be said of such a value are remarks.
    for (const { keywords, at: where } of clauses) {
      for (const word of Object.keys(keywords))
        if (!isAnnotation(word)) this.lose('schema-keyword', below(where, word))
    }
    return keptKeywords(clauses, new Set(), this.subset, this.lose)
  }

  /** Types stand in one list where nothing is said of any of them. */
  #fitsList(names: readonly TypeName[], clauses: readonly Clause[]): boolean {
    const plain = names.every((name) => name !== 'object' && name !== 'array')
    const words = clauses.flatMap(({ keywords }) => Object.keys(keywords))
    return (
      this.subset.typeLists === 'plain' &&
      plain &&
      words.every((word) => word === 'type' || isAnnotation(word))
    )
  }

  #byType(clauses: readonly Clause[], types: ReadonlySet<TypeName>, place: Place): JsonObject | undefined {
    const at = said(clauses, 'type')[0]?.at
    const branches = [...types].map((type) => ({ schema: { type }, at }))
    return this.#union({ clauses, unions: [{ branches, at }], followed: [], never: false }, place)
  }

  #typed(clauses: readonly Clause[], types: readonly TypeName[], place: Place): JsonObject | undefined {
    const written = this.#written(clauses, new Set(types), place)
    return written === undefined ? undefined : { type: spellTypes(types, this.subset), ...written }
  }

  /** Everything but the type. */
  #written(
    clauses: readonly Clause[],
    types: ReadonlySet<TypeName> | undefined,
    place: Place,
  ): JsonObject | undefined {
    const object = types?.has('object') === false ? NONE : objectKeywords(clauses, place, this)
    const { keywords, longest } =
      types?.has('array') === false ? { keywords: NONE } : listKeywords(clauses, place, this)
    if (object === undefined && types !== undefined) return undefined
    if (object === undefined) this.lose('schema-never', clauses[0]?.at)
    const kept = keptKeywords(clauses, types, this.subset, this.lose)
    return { ...kept, ...object, ...keywords, ...this.#ending(longest, kept['maxItems']) }
  }

  /** A list that ends by what is said of its items ends by its length. */
  #ending(
    longest: { readonly length: number; readonly at: Path | undefined } | undefined,
    known: Json | undefined,
  ): JsonObject {
    if (longest === undefined) return NONE
    if (this.subset.keeps.has('maxItems')) {
      return { maxItems: typeof known === 'number' ? Math.min(known, longest.length) : longest.length }
    }
    this.lose('schema-keyword', longest.at)
    return NONE
  }

  #listed(
    values: readonly Json[],
    clauses: readonly Clause[],
    types: ReadonlySet<TypeName> | undefined,
  ): JsonObject | undefined {
    const groups = groupsOf(values)
    const single = groups.length === 1
    const { shared, remarks } = this.#setRemarksAside(clauses)
    const rules = shared.map(({ schema, at }) => ({ keywords: schema as Clause['keywords'], at }))
    const written = groups.map(([found, group]) => {
      const type = found === 'integer' && types?.has('number') ? 'number' : found
      const kept = keptKeywords(rules, new Set([type]), this.subset, this.lose)
      const constant = single && said(clauses, 'const').length > 0
      return { type: spellTypes([type], this.subset), ...kept, ...this.#enum(type, group, constant, clauses) }
    })
    const union = oneOf(written, this.subset)
    return union === undefined ? undefined : withRemarks(union, remarks)
  }

  #enum(type: TypeName, values: readonly Json[], constant: boolean, clauses: readonly Clause[]): JsonObject {
    if (type === 'null' || (type === 'boolean' && values.length === 2)) return NONE
    const at = [...said(clauses, 'const'), ...said(clauses, 'enum')][0]?.at
    if (!this.subset.enums.has(type)) {
      this.lose(this.subset.strict ? 'not-strict-any' : 'schema-enum', at)
      return NONE
    }
    if (typeof values[0] === 'number' && this.subset.numbersAsText) {
      this.lose('schema-enum-text', at)
      return { format: 'enum', enum: values.map(String) }
    }
    return constant && this.subset.constants && values[0] !== undefined
      ? { const: values[0] }
      : { enum: values }
  }
}
