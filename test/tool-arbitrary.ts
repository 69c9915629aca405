import fc from 'fast-check'
import type { CacheHint, Extra, Json, JsonObject, Tool } from 'interlingua'
import { textInputSchema } from '../src/dialects/shared/tool-arguments.ts'
import { parseArguments } from 'interlingua/parse'

/** Selects the texts that are no JSON object, as that of invalid arguments must be. */
export function onlyInvalid(text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return text.filter((each) => parseArguments(each).invalidArguments !== undefined)
}

/** The arbitraries of the values that a tool contains. */
interface ToolValues {
  readonly name: fc.Arbitrary<string>
  readonly text: fc.Arbitrary<string>
  readonly object: fc.Arbitrary<JsonObject>
  readonly json: fc.Arbitrary<Json>
  readonly extra: fc.Arbitrary<Extra>
  readonly cache: fc.Arbitrary<CacheHint>
}

const grammarSyntax = fc.constantFrom('lark' as const, 'regex' as const)

/** Creates the arbitrary of any tool. */
export function createToolArbitrary({
  name,
  text,
  object,
  json,
  extra,
  cache,
}: ToolValues): fc.Arbitrary<Tool> {
  const grammar = fc.record({ syntax: grammarSyntax, definition: text }, { noNullPrototype: true })
  return fc.oneof(
    fc.record(
      {
        type: fc.constant('function' as const),
        name,
        input: fc.oneof(
          { weight: 4, arbitrary: object },
          { weight: 1, arbitrary: fc.constant(textInputSchema) },
        ),
        description: text,
        textInput: fc.record({ grammar }, { requiredKeys: [], noNullPrototype: true }),
        // Names in other namespaces start with the namespace when they are decoded.
        namespace: fc.record(
          { name: fc.constant('functions'), description: text },
          { requiredKeys: ['name'], noNullPrototype: true },
        ),
        strict: fc.boolean(),
        cache,
        extra,
      },
      { requiredKeys: ['type', 'name', 'input'], noNullPrototype: true },
    ),
    fc.record(
      { type: fc.constant('provider' as const), provider: name, name, options: object, cache, extra },
      { requiredKeys: ['type', 'provider', 'name', 'options'], noNullPrototype: true },
    ),
    fc.record(
      { type: fc.constant('opaque' as const), dialect: name, value: json },
      { noNullPrototype: true },
    ),
  )
}
