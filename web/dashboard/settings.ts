/** The settings that the server writes into the page. */
interface PageSettings {
  version: string
  public_url: string
  /** Null while the identity store starts. */
  identity_url: string | null
}

export const settings = JSON.parse(document.getElementById('settings')?.textContent ?? '{}') as PageSettings

/** Allows the component library to write styles into the page. */
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''

// The library that keeps the page behind a dialog from scrolling asks for the nonce under this name.
Object.assign(globalThis, { __webpack_nonce__: styleNonce })
