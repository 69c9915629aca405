import type { InputText } from './read-input.ts'

/** Reads dropped or chosen files: the text of one, or the session files of an agent program that writes several. */
export async function readFiles(
  files: readonly File[],
): Promise<{ readonly input: InputText; readonly name: string }> {
  const [first] = files
  if (first === undefined) return { input: '', name: '' }
  if (files.length === 1) return { input: await first.text(), name: first.name }
  const texts = await Promise.all(
    files.map(async (file) => ({ path: file.webkitRelativePath || file.name, text: await file.text() })),
  )
  return { input: { files: texts }, name: `${files.length} files` }
}

/** Handlers of an element on which files and text can be dropped. */
export function createDropTarget(onDrop: (input: InputText, name?: string) => void): {
  readonly onDragOver: (event: DragEvent) => void
  readonly onDrop: (event: DragEvent) => void
} {
  return {
    onDragOver: (event) => event.preventDefault(),
    onDrop: (event) => {
      event.preventDefault()
      const files = [...(event.dataTransfer?.files ?? [])]
      const text = event.dataTransfer?.getData('text/plain') ?? ''
      if (files.length > 0) void readFiles(files).then(({ input, name }) => onDrop(input, name))
      else if (text !== '') onDrop(text)
    },
  }
}
