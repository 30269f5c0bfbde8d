// as Chromium and Firefox, Safari, and the bundler's own preload say it
const NOT_LOADED = /dynamically imported module|importing a module script failed|unable to preload css/i

/** Whether a part of the console could not be fetched: without a connection, or because a newer version has taken its place. */
export const isNotLoaded = (error: unknown): boolean => error instanceof Error && NOT_LOADED.test(error.message)
