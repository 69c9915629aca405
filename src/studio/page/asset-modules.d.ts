/** The bundler collects imported style sheets in one file. */
declare module '*.css'
