import type { VNode } from 'preact'
import { useRef } from 'preact/hooks'
import type { LensSample } from './samples.ts'

interface SamplePickerProps {
  readonly samples: readonly LensSample[]
  readonly onOpen: (text: string) => void
}

/** Opens one of the samples. */
export function SamplePicker({ samples, onOpen }: SamplePickerProps): VNode {
  return (
    <label>
      <span class="visually-hidden">Open a sample</span>
      <select
        class="sample-picker"
        value=""
        onChange={({ currentTarget }) => {
          onOpen(samples[Number(currentTarget.value)]?.text ?? '')
          currentTarget.value = ''
        }}
      >
        <option value="">Samples</option>
        {samples.map(({ title }, index) => (
          <option key={title} value={index}>
            {title}
          </option>
        ))}
      </select>
    </label>
  )
}

interface FileButtonProps {
  readonly multiple?: boolean
  readonly onFiles: (files: readonly File[]) => Promise<void>
}

/** Opens files of the user. Not every device can drop them. */
export function FileButton({ multiple = false, onFiles }: FileButtonProps): VNode {
  const field = useRef<HTMLInputElement>(null)
  return (
    <>
      <button type="button" onClick={() => field.current?.click()}>
        Open a file
      </button>
      <input
        ref={field}
        class="visually-hidden"
        type="file"
        multiple={multiple}
        tabIndex={-1}
        aria-label="File to open"
        onChange={({ currentTarget }) => {
          void onFiles([...(currentTarget.files ?? [])])
          // Otherwise the same file could not be chosen again.
          currentTarget.value = ''
        }}
      />
    </>
  )
}
