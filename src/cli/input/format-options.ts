import { type Argument, InvalidArgumentError, Option } from 'commander'
import { flavorNames } from '../../dialects/engine/flavor-names.ts'
import { suggestSimilarNames } from '../../wire/similar-names.ts'
import { getRegistry, listOwnDialectNames } from '../registry.ts'
import { FORMAT_NAMES, type FormatName, INPUT_FORMAT_NAMES } from './input-format-names.ts'

export function createFormatOption(
  flags: string,
  description: string,
  names: readonly FormatName[] = FORMAT_NAMES,
): Option {
  return restrictTo(new Option(flags, description), [...names, ...listOwnDialectNames()])
}

/** The option for the format of the input, which may also be a transcript. */
export function createInputFormatOption(): Option {
  const description = 'the format of the input; detected if omitted'
  const names = [...INPUT_FORMAT_NAMES, ...listOwnDialectNames()]
  return restrictTo(new Option('-f, --from <format>', description), names)
}

export function createKindOption(): Option {
  const kinds = ['request', 'response', 'stream', 'stored']
  return restrictTo(new Option('-k, --kind <kind>', 'the kind of the input; detected if omitted'), kinds)
}

export function createFlavorOption(): Option {
  const names = [...Object.values(flavorNames).flat(), ...(getRegistry()?.flavors ?? [])]
  const description = 'the host that receives the request, if it differs from the standard dialect'
  return restrictTo(new Option('--flavor <host>', description), [...new Set(names)].toSorted())
}

/** Restricts an option or an argument to names, like `choices` of it. An error suggests similar names before it lists all. */
export function restrictTo<T extends Argument | Option>(given: T, names: readonly string[]): T {
  const limited: Argument | Option = given.choices(names)
  limited.argParser((text: string) => {
    if (names.includes(text)) return text
    const suggestion = suggestSimilarNames(text, names)
    const prefix = suggestion === undefined ? '' : `${suggestion} `
    throw new InvalidArgumentError(`${prefix}Allowed choices are ${names.join(', ')}.`)
  })
  return given
}

export function parsePositiveInteger(text: string): number {
  const number = Number(text)
  if (Number.isSafeInteger(number) && number > 0) return number
  throw new InvalidArgumentError('Expected an integer, 1 or more.')
}

export function parseNonNegative(text: string): number {
  const number = Number(text)
  if (text.trim() !== '' && Number.isFinite(number) && number >= 0) return number
  throw new InvalidArgumentError('Expected a number, 0 or more.')
}
