/** JSON for a `<script type="application/json">`: escapes what could end the element; JSON has no other `<`. */
export const inScript = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c')
