import { createHash } from 'node:crypto';
import type { JobError } from '../job.js';
import { cutText } from './cut-text.js';
import { STORE_LIMITS as LIMITS } from './limits.js';

/** The first part of every fingerprint: another one where any of the rules below changes, so that groups of two versions are never taken for one. */
const VERSION = 1;
const HASH_HEX = 16;
/** Of the message: what differs between causes stands at its beginning. */
const MESSAGE_LENGTH_MAX = 500;
const MESSAGE_BYTES_MAX = 300;
const FRAMES = 3;
const STACK_LINES_MAX = 100;

/** What errors of one cause have in common. */
export interface ErrorKind {
  readonly fingerprint: string;
  readonly errorClass: string;
  readonly message: string;
  readonly frame?: string;
}

/** Of all errors beyond those that a store tells apart. */
export const OTHER_ERRORS: ErrorKind = {
  fingerprint: `${VERSION}-other`,
  errorClass: 'Other',
  message: 'Errors of more kinds than are told apart',
};

/** In this order: what is replaced first is not looked at again. Every pattern takes time that is linear in the text. */
const PLACEHOLDERS: readonly (readonly [RegExp, string])[] = [
  [/"[^"]*"|'[^']*'|`[^`]*`|“[^”]*”|«[^»]*»/g, '<text>'],
  [/\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s<>]+/gi, '<url>'],
  [/[^\s<>@,;:()]{1,64}@[^\s<>@,;:()]{1,255}/g, '<address>'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '<uuid>'],
  [/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?/g, '<date>'],
  [/\b\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}(?::\d{1,5})?\b/g, '<ip>'],
  [/(?<![\w<])(?:[A-Za-z]:)?(?:[\\/][\w.@~+-]+){2,}[\\/]?/g, '<path>'],
  [/\b0x[0-9a-f]+\b/gi, '<hex>'],
  [/\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{8,}\b/gi, '<hex>'],
  [/[+-]?\d+(?:[.,]\d+)*/g, '<number>'],
];

const OUTSIDE_FRAME = /node_modules|\(node:|at node:|<anonymous>|\(native\)|internal\//;
const FRAME = /^\s*at (?:(?:async )?(?:new )?(.+?) \()?(.+?)(?::\d+)?(?::\d+)?\)?$/;

/**
 * Class, message without what differs from job to job, and the innermost lines of the stack that belong to the application, without line
 * numbers. A message that says nothing leaves class and stack to tell errors apart.
 */
export function errorKind(error: JobError): ErrorKind {
  const message = generalMessage(error.message);
  const frames = ownFrames(error.stack === undefined ? '' : cutText(error.stack, LIMITS.errorStackBytesMax));
  const errorClass = cutText(error.class, LIMITS.errorClassBytesMax);
  const hash = createHash('sha256')
    .update([errorClass, message, ...frames].join('\n'))
    .digest('hex');
  return {
    fingerprint: `${VERSION}-${hash.slice(0, HASH_HEX)}`,
    errorClass,
    message,
    ...(frames[0] === undefined ? {} : { frame: frames[0] }),
  };
}

function generalMessage(message: string): string {
  const line = message.slice(0, MESSAGE_LENGTH_MAX).trim().split('\n', 1)[0] ?? '';
  const general = PLACEHOLDERS.reduce((text, [pattern, placeholder]) => text.replace(pattern, placeholder), line);
  return cutText(general.replace(/\s+/g, ' ').trim(), MESSAGE_BYTES_MAX);
}

function ownFrames(stack: string): string[] {
  const frames: string[] = [];
  for (const line of stack.split('\n', STACK_LINES_MAX)) {
    if (frames.length === FRAMES) break;
    if (line.length > MESSAGE_LENGTH_MAX || !/^\s*at /.test(line) || OUTSIDE_FRAME.test(line)) continue;
    const [, called = '', place = ''] = line.match(FRAME) ?? [];
    // The directory that holds the application differs from machine to machine; the last two names do not.
    const file = place
      .replace(/^file:\/\//, '')
      .split(/[\\/]/)
      .slice(-2)
      .join('/');
    frames.push(`${called} ${file.replace(/\?.*$/, '').replace(/:\d+(:\d+)?$/, '')}`.trim());
  }
  return frames;
}
