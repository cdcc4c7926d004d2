import { FRAME_TYPE, ReadWindow } from '@holdfast/core/log';
import type { LogSurvey, SurveyedSegment } from './log-survey.js';
import { type SegmentEvent, walkSegment } from './segment-walk.js';

export interface SegmentBegins {
  readonly type: 'segment';
}

/** Files that should be there and are not. */
export interface MissingSegments {
  readonly type: 'missing';
  readonly first: number;
  /** `undefined`: it is not known how many followed. */
  readonly last: number | undefined;
  readonly firstSeq: number;
  readonly lastSeq: number | undefined;
}

export interface LogWalk {
  readonly window: ReadWindow;
  /** Each event with the segment that it happens in; for missing ones, the one behind them. */
  readonly events: Generator<readonly [SurveyedSegment | undefined, SegmentBegins | MissingSegments | SegmentEvent]>;
}

/** All frames of a log in order, and every place where there should be one and is none. */
export function walkLog(survey: LogSurvey): LogWalk {
  const window = new ReadWindow();
  return { window, events: events(survey, window) };
}

function* events(survey: LogSurvey, window: ReadWindow): LogWalk['events'] {
  let nextNumber = Math.max(1, survey.newest?.minSegment ?? 1);
  let nextSeq: number | undefined;
  let sealed = false;
  for (const segment of survey.segments) {
    const firstSeq = segment.firstSeq ?? nextSeq ?? 1;
    if (segment.number > nextNumber) {
      const missing = { first: nextNumber, last: segment.number - 1, firstSeq: nextSeq ?? 1, lastSeq: firstSeq - 1 };
      yield [segment, { type: 'missing', ...missing }];
    }
    yield [segment, { type: 'segment' }];
    nextNumber = segment.number + 1;
    nextSeq = firstSeq;
    sealed = false;
    for (const event of walkSegment(segment, firstSeq, window)) {
      yield [segment, event];
      nextSeq = seqAfter(event, nextSeq);
      sealed = event.type === 'frame' && event.frame.header.type === FRAME_TYPE.seal;
    }
  }
  // A segment is sealed when its successor is durable.
  if (sealed)
    yield [
      undefined,
      { type: 'missing', first: nextNumber, last: undefined, firstSeq: nextSeq ?? 1, lastSeq: undefined },
    ];
}

function seqAfter(event: SegmentEvent, nextSeq: number): number {
  if (event.type === 'frame') return event.frame.header.seq + 1;
  return event.type === 'damage' ? (event.lastSeq ?? nextSeq - 1) + 1 : nextSeq;
}
