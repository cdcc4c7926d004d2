/**
 * Where the server put the dashboard. It writes `<base href>` into the page, so the same files work under any path and
 * behind any proxy. Without it (the development server) the page's own root counts.
 */
export function mountPath(baseUri: string = baseOfPage()): string {
  return new URL('.', baseUri).pathname.replace(/\/$/, '');
}

export type QueryParameters = Readonly<Record<string, string | number | undefined>>;

/** Address of an API route: path segments are escaped here, parameters without a value are left out. */
export function apiUrl(segments: readonly string[], parameters: QueryParameters = {}, baseUri = baseOfPage()): URL {
  const url = new URL(`api/v1/${segments.map(encodeURIComponent).join('/')}`, baseUri);
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== '') url.searchParams.set(name, String(value));
  }
  return url;
}

function baseOfPage(): string {
  const hasBase = document.querySelector('base[href]') !== null;
  return hasBase ? document.baseURI : `${window.location.origin}/`;
}
