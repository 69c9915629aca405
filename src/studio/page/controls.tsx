import type { ComponentChildren, VNode } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { toVisibleText } from './format-values.ts'
import type { LensError } from './lens/lens-analysis.ts'

/** Draws an icon from its path, in a square of 24. The element around it has a name. */
export function Icon({ path }: { readonly path: string }): VNode {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={path} />
    </svg>
  )
}

interface CappedListProps<T> {
  readonly items: readonly T[]
  /** The number of items that are shown. */
  readonly max: number
  readonly render: (item: T) => ComponentChildren
  readonly class?: string
  readonly label?: string
}

/** Lists the first items, and the number of the others. */
export function CappedList<T>({ items, max, render, class: className, label }: CappedListProps<T>): VNode {
  return (
    <ul class={className} aria-label={label}>
      {items.slice(0, max).map((item, index) => (
        <li key={index}>{render(item)}</li>
      ))}
      {items.length > max && <li class="muted">and {(items.length - max).toLocaleString('en')} more</li>}
    </ul>
  )
}

interface SamplePickerProps {
  readonly samples: readonly { readonly title: string; readonly text: string }[]
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
  readonly text: string
  /** The name of the field for files. */
  readonly label: string
  readonly multiple?: boolean
  readonly onFiles: (files: readonly File[]) => Promise<void>
}

/** Opens files of the user. Not every device can drop them. */
export function FileButton({ text, label, multiple = false, onFiles }: FileButtonProps): VNode {
  const field = useRef<HTMLInputElement>(null)
  return (
    <>
      <button type="button" onClick={() => field.current?.click()}>
        {text}
      </button>
      <input
        ref={field}
        class="visually-hidden"
        type="file"
        multiple={multiple}
        tabIndex={-1}
        aria-label={label}
        onChange={({ currentTarget }) => {
          void onFiles([...(currentTarget.files ?? [])])
          // Otherwise the same file could not be chosen again.
          currentTarget.value = ''
        }}
      />
    </>
  )
}

/** How long a button shows that it has acted. */
const BRIEF_MS = 1500

/** Returns a value that is undefined again after a moment, and the function that sets it. */
export function useBriefValue<T>(): readonly [value: T | undefined, show: (value: T) => void] {
  const [value, setValue] = useState<T>()
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const show = (next: T): void => {
    clearTimeout(timer.current)
    setValue(() => next)
    timer.current = setTimeout(() => setValue(undefined), BRIEF_MS)
  }
  return [value, show]
}

/** Shows an error in plain words: what happened, where, what was expected, and what to do. */
export function ErrorBox({ error }: { readonly error: LensError }): VNode {
  const { message, path, found, expected, hint, code } = error
  return (
    <div class="error-box" role="alert">
      <p>
        <strong>{toVisibleText(message)}</strong>
      </p>
      {hint !== undefined && <p>{hint}</p>}
      <dl>
        {path !== undefined && path !== '' && <Fact name="At" value={path} />}
        {found !== undefined && !message.includes(found) && <Fact name="Found" value={found} />}
        {expected !== undefined && <Fact name="Expected" value={expected} />}
        <Fact name="Code" value={code} />
      </dl>
    </div>
  )
}

function Fact({ name, value }: { readonly name: string; readonly value: string }): VNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{toVisibleText(value)}</dd>
    </div>
  )
}
