import { inSchema, type NameKind, type StatementName, type Statements } from '@holdfast/sql-store';
import { alikePlaced, alikeValues, numbersOf } from './alike-jobs.js';
import { ENQUEUE_COLUMNS } from './sql/enqueue-jobs.js';
import { countByQueueText, countText, numbersText, pageText } from './sql/read-jobs.js';
import type { Statement } from './statement.js';
import { type StoreStatements, storeStatements } from './statements.js';

/** A statement with the values of its parameters. */
export interface Call {
  readonly statement: Statement | { readonly text: string };
  readonly values: readonly unknown[];
  /** Rows of the question that was asked, from an answer that says the same in fewer. */
  readonly read?: (rows: readonly object[]) => object[];
}

type Values<Name extends StatementName> = Statements[Name]['values'];

/** A kind of locked names is a number. */
const NAME_KINDS: Readonly<Record<NameKind, number>> = { key: 1, request: 2 };

const LEASE = ['number', 'token'] as const;
const RESULT = ['result_text', 'result_bytes', 'result_size'] as const;
const ENDING = ['ending', 'retry_ms', 'late_ms'] as const;
const ERROR = ['error_class', 'error_message', 'error_stack', 'kind', 'kind_message', 'kind_frame'] as const;
const NOTE = ['progress', 'lines', 'dropped_lines'] as const;
const KEY = ['queue_id', 'key'] as const;

/** Parameters of the statements that do not take them as they come. */
const PARAMETERS: { readonly [Name in StatementName]?: (values: Values<Name>, schema: string) => readonly unknown[] } =
  {
    enqueue: ([jobs]) => jobColumns(jobs),
    enqueueKeyed: ([jobs]) => jobColumns(jobs),
    replace: ([jobs, number]) => [...jobColumns(jobs), number],
    // Stores in other schemas of the database have locks of their own.
    lockNames: ([kind, names], schema) => [NAME_KINDS[kind], names.map((name) => `${schema} ${name}`)],
    keyHolders: ([keys]) => columns(keys, KEY),
    keyWindows: ([keys]) => columns(keys, KEY),
    ack: ([leases]) => columns(leases, leases.some(hasResult) ? [...LEASE, ...RESULT] : LEASE),
    fail: ([leases, outcome]) => [...columns(leases, [...LEASE, ...ENDING]), outcome, ...columns(leases, ERROR)],
    release: ([leases]) => columns(leases, [...LEASE, 'delay_ms']),
    extend: ([leases]) => columns(leases, [...LEASE, 'lease_ms', 'times']),
    notedLeases: ([leases]) => columns(leases, LEASE),
    keepNotes: ([notes]) => columns(notes, [...LEASE, ...NOTE]),
    // Their limit stands in the text.
    expireJobs: () => [],
    promote: () => [],
    overdueLeases: () => [],
  };

/** Statements whose text depends on what is asked for. */
const WRITTEN = {
  page: ([place, below, limit, withPayload]: Values<'page'>) => pageText(place, { below, limit, withPayload }),
  count: ([place, limit]: Values<'count'>) => countText(place, limit),
  countByQueue: ([place]: Values<'countByQueue'>) => countByQueueText(place),
  numbers: ([place]: Values<'numbers'>) => numbersText(place),
} as const satisfies { readonly [Name in StatementName]?: (values: Values<Name>) => unknown };

type Written = keyof typeof WRITTEN;

/** How the store asks for something, in its schema. */
export class Calls {
  readonly statements: StoreStatements;
  readonly #schema: string;

  constructor(schema: string) {
    this.#schema = schema;
    this.statements = storeStatements(schema);
  }

  /** On a connection of the store's own. Libraries of callers pass arrays as texts, but not every one a lone number or truth. */
  ofOwn<Name extends StatementName>(name: Name, values: Values<Name>): Call {
    if (name !== 'enqueue') return this.of(name, values);
    const [jobs] = values as Values<'enqueue'>;
    const alike = alikeValues(jobs);
    if (alike === undefined) return this.of(name, values);
    const read = (rows: readonly object[]) => alikePlaced(rows[0] as Parameters<typeof alikePlaced>[0], jobs);
    return { statement: this.statements.enqueueAlike, values: alike, read };
  }

  of<Name extends StatementName>(name: Name, values: Values<Name>): Call {
    if (isWritten(name)) {
      const write = WRITTEN[name] as (values: Values<Name>) => { readonly text: string; readonly values: unknown[] };
      const written = write(values);
      return { statement: { text: inSchema(written.text, this.#schema) }, values: written.values };
    }
    if (name === 'queues') return this.#queues(values as Values<'queues'>);
    const parameters = PARAMETERS[name] as ((values: Values<Name>, schema: string) => readonly unknown[]) | undefined;
    const statement = this.statements[name as Exclude<StatementName, Written>];
    const call = { statement, values: parameters === undefined ? values : parameters(values, this.#schema) };
    if (isBeyond(name)) return { ...call, read: (rows) => beyondOf(rows as { readonly numbers: string }[]) };
    return name === 'ack' ? this.#ack(call, values as Values<'ack'>) : call;
  }

  #queues([names]: Values<'queues'>): Call {
    const { queues, queuesNamed } = this.statements;
    const read = (rows: readonly object[]) => (rows as { readonly throughput: string | null }[]).map(withThroughput);
    return names === null ? { statement: queues, values: [], read } : { statement: queuesNamed, values: [names], read };
  }

  #ack(call: Call, [leases]: Values<'ack'>): Call {
    const { ack, ackWithResults } = this.statements;
    return {
      statement: leases.some(hasResult) ? ackWithResults : ack,
      values: call.values,
      read: (rows) => liveOf(leases, rows as { readonly places: string | null }[]),
    };
  }
}

function hasResult({ result_text, result_bytes }: Values<'ack'>[0][number]): boolean {
  return result_text !== null || result_bytes !== null;
}

function isBeyond(name: StatementName): boolean {
  return name === 'beyondCount' || name === 'beyondAge' || name === 'beyondBytes';
}

function beyondOf(rows: readonly { readonly numbers: string }[]): object[] {
  return rows.flatMap(({ numbers }) => numbersOf(numbers)).map((number) => ({ number }));
}

/** The answer names live leases by their places from 1, and none where all of them were. A library of a caller that hands no rows on has told of none. */
function liveOf<Lease>(leases: readonly Lease[], [answer]: readonly { readonly places: string | null }[]): Lease[] {
  if (answer === undefined) return [];
  if (answer.places === null) return [...leases];
  return numbersOf(answer.places).map((place) => leases[place - 1]!);
}

/** Points as the text of a list: what the driver reads as JSON it looks through for texts that were written otherwise. */
function withThroughput<Row extends { readonly throughput: string | null }>(row: Row): object {
  return { ...row, throughput: row.throughput === null ? null : JSON.parse(`[${row.throughput}]`) };
}

function isWritten(name: StatementName): name is Written {
  return name in WRITTEN;
}

/** One array for each column. */
function columns<Row>(rows: readonly Row[], names: readonly (keyof Row)[]): unknown[][] {
  return names.map((name) => rows.map((row) => row[name]));
}

/** Of one value where all jobs have it. The sizes say how many jobs there are. */
function jobColumns(jobs: Values<'enqueue'>[0]): unknown[][] {
  return ENQUEUE_COLUMNS.map((column) => {
    const given = jobs.map((job) => job[column]);
    const isCommon = column !== 'payload_size' && given.every((value) => value === given[0]);
    return isCommon ? given.slice(0, 1) : given;
  });
}
