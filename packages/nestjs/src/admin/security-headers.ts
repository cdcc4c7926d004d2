type Headers = Readonly<Record<string, string>>;

/** On every answer of this module. */
const ALWAYS: Headers = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
};

/** For what is data or a file: should a browser ever show it as a document, it can load and run nothing. */
export const DATA_HEADERS: Headers = {
  ...ALWAYS,
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
};

/** For the dashboard: scripts and styles from its own files, nothing inline, nothing from anywhere else. */
export const DASHBOARD_HEADERS: Headers = {
  ...ALWAYS,
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "base-uri 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
};

/** For a page of text whose one `<style>` element has this hash. */
export function plainPageHeaders(styleHash: string): Headers {
  return {
    ...ALWAYS,
    'Content-Security-Policy': `default-src 'none'; style-src '${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  };
}
