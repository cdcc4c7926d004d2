import { type AdminRequest, rawPath, routePattern } from './admin-request.js';

const FORWARDED_PREFIX = /^(\/[\w.~-]+)+\/?$/;
const FORWARDED_PREFIX_LENGTH_MAX = 256;
const PATH_CHARACTERS = /[^\w\-.~%!$&'()*+,;=:@/]/g;

/** A request's path, split where the dashboard is mounted. `tail` is not decoded and has no leading slash. */
export interface MountedPath {
  readonly mount: string;
  readonly tail: string;
}

/**
 * The pattern of the route says how many segments lead to the mount, the request what they are: so a global prefix, a prefix
 * with parameters, and the case that was typed need no knowledge of their own.
 */
export function mountedPath(request: AdminRequest): MountedPath {
  const pattern = routePattern(request)
    .split('/')
    .filter((segment) => segment !== '');
  const wildcard = pattern.findIndex((segment) => segment.startsWith('*'));
  const mountSegments = wildcard === -1 ? pattern.length : wildcard;
  const segments = rawPath(request).split('/').slice(1);
  return {
    mount: segments
      .slice(0, mountSegments)
      .map((segment) => `/${segment}`)
      .join(''),
    tail: segments.slice(mountSegments).join('/'),
  };
}

/** The mount as the browser sees it, with a slash at the end: the value of `<base href>`. Always a path on this origin. */
export function baseHref(request: AdminRequest): string {
  const path = `${forwardedPrefix(request)}${mountedPath(request).mount}/`;
  // `//name` and `/\name` would lead to another origin.
  return path.replace(PATH_CHARACTERS, encodeURIComponent).replace(/^\/{2,}/, '/');
}

/** The prefix that a proxy took off, if it says so in a form that can only be a path. */
function forwardedPrefix(request: AdminRequest): string {
  const given = request.headers['x-forwarded-prefix'];
  if (typeof given !== 'string' || given.length > FORWARDED_PREFIX_LENGTH_MAX || !FORWARDED_PREFIX.test(given))
    return '';
  const segments = given.split('/').filter((segment) => segment !== '');
  if (segments.some((segment) => segment === '.' || segment === '..')) return '';
  return segments.map((segment) => `/${segment}`).join('');
}
