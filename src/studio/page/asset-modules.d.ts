/** The bundler collects imported style sheets in one file. */
declare module '*.css'

/** The bundler writes a worker as a file of its own, and the module is its URL. */
declare module '*?worker&url' {
  const url: string
  // oxlint-disable-next-line import/no-default-export -- the form that the bundler generates
  export default url
}
