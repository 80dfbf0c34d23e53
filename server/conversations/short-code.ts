/** Characters that are not confused when they are read aloud or typed from paper; `random_code()` in the database uses the same. */
const CODE = /^[2-9A-HJKMNP-TV-Z]{8}$/i

/** The stored form of a code that a person typed: case, spaces and hyphens do not matter. Null if it cannot be a code. */
export function parseCode(typed: string): string | null {
  const code = typed.replace(/[\s-]/g, '')
  // Tested first, because some other letters have an upper case in ASCII.
  return CODE.test(code) ? code.toUpperCase() : null
}

/** Formats a code for people: `K7QM-2XRD`. */
export const formatCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`
