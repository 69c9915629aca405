import { useLayoutEffect, useRef, useState } from 'preact/hooks'

interface DropHandlers {
  readonly onFiles: (files: readonly File[]) => Promise<void>
  /** Absent if dropped text is left to the field below the pointer. */
  readonly onText?: (text: string) => void
}

/** Accepts files, and text, that are dropped anywhere on the page. Returns true while they are dragged over it. */
export function useDropZone(handlers: DropHandlers): boolean {
  const [isOver, setIsOver] = useState(false)
  const current = useRef(handlers)
  current.current = handlers
  // Not after the next frame: a drop before it would replace the page.
  useLayoutEffect(() => {
    const follow = (event: DragEvent): void => {
      if (!hasFiles(event) && current.current.onText === undefined) return
      event.preventDefault()
      setIsOver(true)
    }
    const leave = ({ relatedTarget }: DragEvent): void => {
      if (relatedTarget === null) setIsOver(false)
    }
    const drop = (event: DragEvent): void => {
      setIsOver(false)
      const { onFiles, onText } = current.current
      const files = [...(event.dataTransfer?.files ?? [])]
      const text = event.dataTransfer?.getData('text/plain') ?? ''
      if (files.length === 0 && onText === undefined) return
      event.preventDefault()
      if (files.length > 0) void onFiles(files)
      else if (text !== '') onText?.(text)
    }
    addEventListener('dragover', follow)
    addEventListener('dragleave', leave)
    addEventListener('drop', drop)
    return () => {
      removeEventListener('dragover', follow)
      removeEventListener('dragleave', leave)
      removeEventListener('drop', drop)
    }
  }, [])
  return isOver
}

/** Keeps the browser from leaving the page for a file that is dropped where nothing accepts it. */
export function refuseOtherDrops(): void {
  for (const type of ['dragover', 'drop'] as const)
    addEventListener(type, (event) => {
      if (hasFiles(event)) event.preventDefault()
    })
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') ?? false
}
