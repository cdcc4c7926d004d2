import type { FrameHeader, LogRecord, ReadWindow } from '@holdfast/core/log';
import { FRAME_HEADER_BYTES, FRAME_TYPE, makeLocation, RecordCursor, walkRecords } from '@holdfast/core/log';
import { parseId, storeTag } from '@holdfast/core/records';
import type { CommandContext } from '../command-context.js';
import { CommandError } from '../command-error.js';
import type { DumpCommand } from '../command-line.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { type LogSurvey, type SurveyedSegment, surveyLog } from '../salvage/log-survey.js';
import { type MissingSegments, walkLog } from '../salvage/log-walk.js';
import type { Damage, TornEnd, WholeFrame } from '../salvage/segment-walk.js';
import { findLiveOwner, openSource, ownerText } from '../source/open-source.js';
import { rangeText } from '../terminal/figures.js';
import { describeFrame, describeSegment } from './describe-header.js';
import { describeRecord, type RecordView } from './describe-record.js';

/** Prints a log as JSON lines. Memory is bounded by the largest frame, and by how slowly the lines are read. */
export async function dump(command: DumpCommand, context: CommandContext): Promise<ExitCode> {
  const snapshot = openSource(command.directory);
  try {
    return await new Dump(command, context, chooseSegments(surveyLog(snapshot), command)).run();
  } finally {
    snapshot.close();
  }
}

function chooseSegments(survey: LogSurvey, { segment, fromSeq, directory }: DumpCommand): LogSurvey {
  if (segment !== undefined) {
    const segments = survey.segments.filter(({ number }) => number === segment);
    if (segments.length > 0) return { ...survey, segments };
    const known = survey.segments.map(({ number }) => number);
    const range = known.length === 0 ? 'none' : rangeText(known[0] ?? 0, known.at(-1) ?? 0);
    throw new CommandError(EXIT.usage, `${directory} has no segment ${segment}.`, `Its segments: ${range}.`);
  }
  // Those that end before the wanted frames need not be read.
  const first = survey.segments.findIndex(({ end }) => end === undefined || end.lastSeq >= fromSeq);
  return { ...survey, segments: survey.segments.slice(Math.max(0, first)) };
}

class Dump {
  readonly #command: DumpCommand;
  readonly #context: CommandContext;
  readonly #survey: LogSurvey;
  readonly #view: RecordView;
  /** The number of the one job that is asked for. */
  readonly #job: number | undefined;
  readonly #cursor = new RecordCursor();
  #damaged = false;
  #segmentsBegun = 0;

  constructor(command: DumpCommand, context: CommandContext, survey: LogSurvey) {
    this.#command = command;
    this.#context = context;
    this.#survey = survey;
    const tag = storeTag(survey.newest?.storeId ?? new Uint8Array(16));
    this.#view = { tag, payload: command.payload };
    this.#job = command.job === undefined ? undefined : jobNumber(tag, command.job);
  }

  async run(): Promise<ExitCode> {
    const { out } = this.#context;
    const { events, window } = walkLog(this.#survey);
    for (const [segment, event] of events) {
      if (event.type === 'missing') this.#missing(event);
      else if (segment !== undefined) {
        if (event.type === 'segment') this.#segment(segment);
        else if (event.type === 'frame') await this.#frame(segment, event, window);
        else this.#broken(segment, event);
      }
      await this.#settle();
      if (out.gone) break;
    }
    this.#context.progress.clear();
    await out.flush();
    return this.#damaged ? EXIT.damaged : EXIT.sound;
  }

  /** On one terminal with the progress the lines would begin behind it. */
  #settle(): Promise<void> {
    const { out, progress } = this.#context;
    return out.settle(out.isTerminal ? () => progress.clear() : undefined);
  }

  #segment(segment: SurveyedSegment): void {
    this.#segmentsBegun++;
    if (segment.headerProblem !== undefined) this.#note(`${segment.name}: ${segment.headerProblem}.`);
    if (this.#job === undefined) this.#context.out.json(describeSegment(segment));
  }

  async #frame(segment: SurveyedSegment, { frame }: WholeFrame, window: ReadWindow): Promise<void> {
    const { header, headerCrc, at } = frame;
    const { out, progress } = this.#context;
    progress.report(`Reading ${segment.name}`, header.offset, segment.bytes);
    if (header.seq < this.#command.fromSeq) return;
    if (this.#job === undefined) out.json(describeFrame(segment.number, header, headerCrc));
    if (header.type !== FRAME_TYPE.records) return;
    this.#cursor.buffer = window.buffer;
    this.#cursor.view = window.view;
    const lines = this.#recordLines(segment, header, at);
    for (const line of lines) {
      out.json(line);
      await this.#settle();
      if (out.gone) return;
    }
  }

  /** One record at a time: a frame of them can be large, and larger as text. */
  *#recordLines(segment: SurveyedSegment, header: FrameHeader, at: number): Generator<unknown> {
    const cursor = this.#cursor;
    const end = at + FRAME_HEADER_BYTES + header.recordsBytes;
    let start = at + FRAME_HEADER_BYTES;
    for (let index = 0; index < header.recordCount; index++) {
      const location = makeLocation(segment.number, header.offset + start - at);
      let line: unknown;
      const visit = (record: LogRecord) => {
        line = this.#recordLine(segment, header.seq, record);
      };
      walkRecords(cursor, { start, end, count: 1, location }, visit);
      if (line !== undefined) yield line;
      start += cursor.recordBytes;
    }
  }

  #recordLine(segment: SurveyedSegment, seq: number, record: LogRecord): unknown {
    const { head, body } = describeRecord(this.#view, segment.number, seq, record);
    const job = this.#job;
    if (job === undefined || body.id === job) return Object.assign(head, body);
    const items = body.items?.filter(({ id }) => id === job) ?? [];
    return items.length === 0 ? undefined : Object.assign(head, body, { items });
  }

  #broken(segment: SurveyedSegment, event: Damage | TornEnd): void {
    const place = `${segment.name}, byte ${event.offset}: ${event.problem}`;
    if (event.type === 'damage') {
      const { offset, end, problem, firstSeq, lastSeq } = event;
      const line = { type: 'damage', segment: segment.number, offset, bytes: end - offset, problem, firstSeq, lastSeq };
      if (this.#job === undefined) this.#context.out.json(line);
      this.#note(`${place}. This had been durable: ${segment.name} is damaged up to byte ${end}.`);
      return;
    }
    const owner = findLiveOwner(this.#command.directory);
    const why = owner === undefined ? 'An open of the store cuts it off' : `${ownerText(owner)} and may be writing it`;
    this.#context.err.line(`${place}. The last ${event.bytes} bytes are a torn end, and no frames yet. ${why}.`);
  }

  #missing({ first, last }: MissingSegments): void {
    // With --segment or --from the others are not missed.
    if (this.#segmentsBegun === 0 && this.#command.fromSeq > 0) return;
    if (this.#command.segment !== undefined) return;
    this.#note(`Segment ${last === undefined ? `${first} (and any behind it)` : rangeText(first, last)} is missing.`);
  }

  #note(text: string): void {
    this.#damaged = true;
    this.#context.err.line(text);
  }
}

function jobNumber(tag: string, text: string): number {
  const id = /^\d+$/.test(text) ? Number(text) : parseId(tag, text);
  if (id !== undefined && Number.isSafeInteger(id)) return id;
  throw new CommandError(
    EXIT.usage,
    `--job is "${text}", which is no id of this store.`,
    `Ids of its jobs begin with ${tag}-; the number in the log is taken, too.`,
  );
}
