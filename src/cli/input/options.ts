import { Option } from 'commander'
import { FORMS } from './document.ts'

/** An option that names a form. */
export function formOption(flags: string, description: string): Option {
  return new Option(flags, description).choices(FORMS)
}

/** The option that says which kind of thing the input is. */
export function kindOption(): Option {
  return new Option('-k, --kind <kind>', 'which kind it is, likewise').choices([
    'request',
    'response',
    'stream',
    'stored',
  ])
}
