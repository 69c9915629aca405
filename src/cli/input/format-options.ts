import { InvalidArgumentError, Option } from 'commander'
import { flavors as anthropicFlavors } from '../../dialects/anthropic/flavors.ts'
import { flavors as geminiFlavors } from '../../dialects/gemini/flavors.ts'
import { flavors as chatFlavors } from '../../dialects/openai-chat/flavors.ts'
import { FORMAT_NAMES } from './document.ts'

/** An option that names a form. */
export function createFormatOption(flags: string, description: string): Option {
  return new Option(flags, description).choices(FORMAT_NAMES)
}

/** The option that says which kind of thing the input is. */
export function createKindOption(): Option {
  return new Option('-k, --kind <kind>', 'which kind it is, likewise').choices([
    'request',
    'response',
    'stream',
    'stored',
  ])
}

/** The option that names the host that a request goes to. */
export function createFlavorOption(): Option {
  const names = [chatFlavors, anthropicFlavors, geminiFlavors].flatMap((flavors) => Object.keys(flavors))
  return new Option(
    '--flavor <host>',
    'the host that a request goes to, where it differs from the format',
  ).choices([...new Set(names)].toSorted())
}

/** A number of things, at least one, as the value of an option. */
export function parseCount(text: string): number {
  const number = Number(text)
  if (Number.isSafeInteger(number) && number > 0) return number
  throw new InvalidArgumentError('It takes a whole number, 1 or more.')
}

/** A number that is not negative, as the value of an option. */
export function parseNonNegative(text: string): number {
  const number = Number(text)
  if (text.trim() !== '' && Number.isFinite(number) && number >= 0) return number
  throw new InvalidArgumentError('It takes a number, 0 or more.')
}
