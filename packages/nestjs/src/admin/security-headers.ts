/** On every answer of this module. */
const ALWAYS: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
};

/** For what is data or a file: should a browser ever show it as a document, it can load and run nothing. */
export const DATA_HEADERS: Readonly<Record<string, string>> = {
  ...ALWAYS,
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
};

/** For a page whose own `<style>` elements carry the nonce. Scripts come from files only. */
export function pageHeaders(styleNonce: string): Readonly<Record<string, string>> {
  return {
    ...ALWAYS,
    'Content-Security-Policy': [
      "default-src 'none'",
      "script-src 'self'",
      `style-src 'self' 'nonce-${styleNonce}'`,
      "connect-src 'self'",
      "img-src 'self' data:",
      "font-src 'self'",
      "base-uri 'self'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
  };
}
