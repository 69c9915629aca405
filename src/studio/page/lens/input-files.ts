import type { LensError } from './lens-analysis.ts'
import type { InputText } from './read-input.ts'

/** The text of files, or the reason why they cannot be read. */
type ReadFiles = { readonly input: InputText; readonly name: string } | { readonly error: LensError }

/** Reads dropped or chosen files: the text of one, or the session files of an agent program that writes several. */
export async function readInputFiles(files: readonly File[]): Promise<ReadFiles> {
  try {
    const texts = await Promise.all(
      files.map(async (file) => ({ path: file.webkitRelativePath || file.name, text: await file.text() })),
    )
    const [first] = texts
    if (texts.length > 1) return { input: { files: texts }, name: `${texts.length} files` }
    return { input: first?.text ?? '', name: first?.path ?? '' }
  } catch {
    return {
      error: {
        code: 'invalid-value',
        message: 'The file cannot be read.',
        hint: 'Choose files instead of a folder, and check that they still exist.',
      },
    }
  }
}
