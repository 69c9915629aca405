import { InterlinguaError } from '../errors.ts'
import { withTypedErrors } from './typed-errors.ts'
import { describeType, isObject } from './json.ts'
import { NumberRange } from './number-range.ts'
import { findNearestName } from './similar-names.ts'

/**
 * The options of an interface. The compiler keeps the table complete. A row is what the option accepts, since another value
 * would be ignored, or fail far from the mistake: `Function`, `Boolean`, a list of choices, a range of numbers, a table for an
 * object, or `true` for what is checked elsewhere.
 */
export type OptionNames<T> = { readonly [name in keyof T]-?: OptionRow<NonNullable<T[name]>> }

type OptionRow<V> = [V] extends [AnyFunction]
  ? FunctionConstructor
  : [V] extends [boolean]
    ? BooleanConstructor
    : [V] extends [number]
      ? true | NumberRange
      : [V] extends [string | AnyFunction]
        ? true | Choices<V>
        : true | OptionNames<V>

type AnyFunction = (...args: never) => unknown

type Choices<V> = readonly (V extends AnyFunction ? FunctionConstructor : V)[]

/** Hints for names that are no options, such as those of other libraries. */
export interface OptionHints {
  readonly [name: string]: string
}

type NameTable = { readonly [name: string]: unknown }

/**
 * Throws for an unknown option: an ignored option has unexpected effects, such as a prompt that is
 * sent to another host.
 *
 * @example
 * checkOptions('the request', { temprature: 0 }, { temperature: true }) // throws: Use `temperature`.
 */
export function checkOptions<T extends object>(
  owner: string,
  options: T,
  names: OptionNames<T>,
  hints: OptionHints = {},
): void {
  withTypedErrors(() => checkObject(owner, options, names, '', hints), [owner, options, names, hints])
}

/**
 * Returns a copy of options that are split among several functions. They are checked here if `names` are given, so that a hint
 * lists all of them, and otherwise by these functions; a value that is not an object is refused in any case.
 *
 * @example
 * const { migrate, ...rest } = readOptions('sqliteStorage()', options, { ...STORAGE_OPTION_NAMES, migrate: Boolean })
 */
export function readOptions<T extends object>(owner: string, options: T, names?: OptionNames<T>): T {
  return withTypedErrors(() => {
    if (!isObject(options))
      throw notAnObjectError(owner, options, '', 'Pass an object, or omit the argument.')
    if (names !== undefined) checkOptions(owner, options, names)
    return { ...options }
  }, [owner, options])
}

function notAnObjectError(owner: string, options: unknown, path: string, hint: string): InterlinguaError {
  return new InterlinguaError('invalid-type', `The options of ${owner} are invalid`, {
    path,
    found: describeType(options),
    expected: 'an object',
    hint,
  })
}

function checkObject(
  owner: string,
  options: unknown,
  names: NameTable,
  path: string,
  hints: OptionHints,
): void {
  // A signal in place of the options has no properties of its own, and would abort nothing.
  if (!isObject(options) || options instanceof AbortSignal)
    throw notAnObjectError(owner, options, path, `Pass an object with any of ${listNames(names)}.`)
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue
    if (!Object.hasOwn(names, name)) throw unknownOptionError(owner, `${path}/${name}`, name, names, hints)
    const row = names[name]
    if (isObject(row) && !(row instanceof NumberRange))
      checkObject(`\`${name}\` of ${owner}`, value, row, `${path}/${name}`, {})
    else if (row !== true) checkValue(owner, `${path}/${name}`, name, value, Array.isArray(row) ? row : [row])
  }
}

function checkValue(
  owner: string,
  path: string,
  name: string,
  value: unknown,
  choices: readonly unknown[],
): void {
  if (choices.some((choice) => isAccepted(value, choice))) return
  const isText = typeof value === 'string' && value.length <= 40
  const expected = choices.map(describeChoice).join(' or ')
  const nearest = isText
    ? findNearestName(
        value,
        choices.filter((choice) => typeof choice === 'string'),
      )
    : undefined
  throw new InterlinguaError('invalid-value', `The option \`${name}\` of ${owner} has an invalid value`, {
    path,
    found: isText ? JSON.stringify(value) : typeof value === 'number' ? String(value) : describeType(value),
    expected,
    hint: `Pass ${nearest === undefined ? expected : `'${nearest}'`}, or omit the option.`,
  })
}

function isAccepted(value: unknown, choice: unknown): boolean {
  if (choice === Function) return typeof value === 'function'
  if (choice instanceof NumberRange) return choice.includes(value)
  return choice === Boolean ? typeof value === 'boolean' : value === choice
}

function describeChoice(choice: unknown): string {
  if (choice === Function) return 'a function'
  if (choice instanceof NumberRange) return choice.expects
  return choice === Boolean ? 'true or false' : `'${String(choice)}'`
}

function unknownOptionError(
  owner: string,
  path: string,
  name: string,
  names: NameTable,
  hints: OptionHints,
): InterlinguaError {
  const nearest = findNearestName(name, Object.keys(names))
  const hint = Object.hasOwn(hints, name) ? hints[name] : nearest && `Use \`${nearest}\`.`
  const shownName = name.slice(0, 60)
  return new InterlinguaError('unexpected-field', `Unknown option \`${shownName}\` of ${owner}`, {
    path: path.slice(0, 200),
    found: `the option \`${shownName}\``,
    expected: `one of ${listNames(names)}`,
    hint: hint ?? `Use one of ${listNames(names)}.`,
  })
}

function listNames(names: NameTable): string {
  return Object.keys(names)
    .map((name) => `\`${name}\``)
    .join(', ')
}
