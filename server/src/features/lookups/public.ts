/** `learnValues` adds the departments, titles, locations … that people have to the lists that forms suggest from. */
export { type Learning, learnValues } from './learn-values.ts'
