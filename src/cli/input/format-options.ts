import { InvalidArgumentError, Option } from 'commander'
import { flavors as anthropicFlavors } from '../../dialects/anthropic/flavors.ts'
import { flavors as geminiFlavors } from '../../dialects/gemini/flavors.ts'
import { flavors as chatFlavors } from '../../dialects/openai-chat/flavors.ts'
import { flavors as responsesFlavors } from '../../dialects/openai-responses/flavors.ts'
import { getRegistry, listOwnDialectNames } from '../registry.ts'
import { FORMAT_NAMES, type FormatName, INPUT_FORMAT_NAMES } from './input-format-names.ts'

export function createFormatOption(
  flags: string,
  description: string,
  names: readonly FormatName[] = FORMAT_NAMES,
): Option {
  return new Option(flags, description).choices([...names, ...listOwnDialectNames()])
}

/** The option for the format of the input, which may also be a transcript. */
export function createInputFormatOption(): Option {
  const description = 'the format of the input; detected if omitted'
  return new Option('-f, --from <format>', description).choices([
    ...INPUT_FORMAT_NAMES,
    ...listOwnDialectNames(),
  ])
}

export function createKindOption(): Option {
  const kinds = ['request', 'response', 'stream', 'stored']
  return new Option('-k, --kind <kind>', 'the kind of the input; detected if omitted').choices(kinds)
}

export function createFlavorOption(): Option {
  const names = [chatFlavors, responsesFlavors, anthropicFlavors, geminiFlavors].flatMap((flavors) =>
    Object.keys(flavors),
  )
  const own = getRegistry()?.flavors ?? []
  const description = 'the host that receives the request, if it differs from the standard dialect'
  return new Option('--flavor <host>', description).choices([...new Set([...names, ...own])].toSorted())
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
