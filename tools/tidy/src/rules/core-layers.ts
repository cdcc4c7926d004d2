import type { Finding } from '../finding.js';
import { type Import, importedPath, isTest, type SourceFile } from '../source-file.js';

/** May a file of the layer import this? The target is a path below core/src, or a package's or node module's name. */
type LayerRule = (target: string, imported: Import) => boolean;

const source = 'packages/core/src/';
const contract = (target: string) => target === '@holdfast/contract' || target === rules;
/** What all stores check and compute in the same way. */
const rules = '@holdfast/contract/rules';
/** What everything may stand on; these know nothing but each other. */
const foundation = new Set(['invariant.js', 'limits.js', 'identity.js', 'writable.js']);
/** What a log offers: the facade, that of a log which is only read, and the form of a record. */
const logFacade = new Set(['log/segmented-log.js', 'log/frozen-log.js', 'log/log-record.js']);
/** The terms in which the engine is spoken to, as types: whoever carries its calls may name them. */
const engineTerms = 'engine/engine-calls.js';
/** Threads that a client starts: it names what they are given. */
const threadEntries = new Set(['host/engine-thread.js', 'host/view-thread.js']);

/** Inside a folder everything may import everything else of the folder; these say what it may import from outside. */
const layers: Readonly<Record<string, { readonly may: LayerRule; readonly reason: string }>> = {
  log: {
    may: (target) => !['state', 'engine', 'queue', 'protocol', 'host', 'client'].includes(layerOf(target)),
    reason: 'log/ knows bytes and files',
  },
  state: {
    may: (target) => contract(target) || foundation.has(target),
    reason: 'state/ knows the contract, invariant and limits, and no file, clock or chance',
  },
  engine: {
    may: (target, { typeOnly }) =>
      contract(target) ||
      foundation.has(target) ||
      layerOf(target) === 'state' ||
      logFacade.has(target) ||
      (typeOnly && layerOf(target) === 'log') ||
      // For its histograms; a clock taken from it is found by the rule on time.
      target === 'node:perf_hooks',
    reason: `engine/ joins state/ with the log, and takes values of the log only from ${[...logFacade].join(' and ')}`,
  },
  protocol: {
    may: (target, { typeOnly }) =>
      contract(target) ||
      foundation.has(target) ||
      (typeOnly && target === engineTerms) ||
      target === 'node:worker_threads',
    reason: 'protocol/ is messages over a port, and knows the contract and the terms of the engine',
  },
  host: {
    may: (target) =>
      contract(target) ||
      foundation.has(target) ||
      target.startsWith('node:') ||
      ['protocol', 'engine'].includes(layerOf(target)),
    reason: 'host/ runs an engine and answers the protocol',
  },
  client: {
    may: (target, { typeOnly }) =>
      contract(target) ||
      foundation.has(target) ||
      target.startsWith('node:') ||
      layerOf(target) === 'protocol' ||
      (typeOnly && (target === engineTerms || threadEntries.has(target))),
    reason: 'client/ speaks the protocol and knows the thread behind it by its address only',
  },
  isolation: {
    may: (target) =>
      contract(target) || foundation.has(target) || target.startsWith('node:') || layerOf(target) === 'queue',
    reason: 'isolation/ runs handlers elsewhere, and knows no store',
  },
  queue: {
    // What payloads are made of and checked by: neither knows a store.
    may: (target) =>
      contract(target) || foundation.has(target) || ['devalue', '@standard-schema/spec'].includes(target),
    reason: 'queue/ works over any store, so it sees the contract alone',
  },
  outbox: {
    may: (target) => contract(target) || foundation.has(target) || layerOf(target) === 'queue',
    reason: 'outbox/ stands before a queue over any store, and is given its database',
  },
};

/** The files through which time, chance and the disk come in. */
const seams = new Set(['system-clock.js', 'system-random.js', 'log/node-file-system.js']);
/** The files that choose them; they wire layers together, so the rules of their folders do not bind them. */
const compositionRoots = new Set([
  'open-log-store.ts',
  'open-in-thread-store.ts',
  'open-log-view.ts',
  'start-worker.ts',
  'start-outbox-relay.ts',
  'host/engine-thread.ts',
  'host/view-thread.ts',
]);
/** The faces of the package re-export; that uses nothing. */
const faces = new Set(['index.ts', 'log/index.ts']);

/** Who may import whom inside of core. */
export function coreLayerFindings(file: SourceFile): Finding[] {
  if (!file.path.startsWith(source) || isTest(file.path)) return [];
  const name = file.path.slice(source.length);
  return file.imports.flatMap((imported) => {
    const target = targetOf(file, imported);
    const message = seamProblem(name, target, imported) ?? layerProblem(name, target, imported);
    return message === undefined ? [] : [{ path: file.path, line: imported.line, message }];
  });
}

function seamProblem(name: string, target: string, { kind }: Import): string | undefined {
  if (!seams.has(target) || compositionRoots.has(name)) return undefined;
  if (faces.has(name) && kind === 'export') return undefined;
  return `${name} may not import ${target}: only the composition roots choose where time, chance and files come from`;
}

function layerProblem(name: string, target: string, imported: Import): string | undefined {
  if (compositionRoots.has(name)) return undefined;
  if (foundation.has(name.replace(/\.ts$/, '.js'))) {
    return foundation.has(target) || target === rules
      ? undefined
      : `${name} may not import ${target}: everything stands on it`;
  }
  const layer = layerOf(name);
  const rule = layers[layer];
  if (rule === undefined || layerOf(target) === layer || rule.may(target, imported)) return undefined;
  return `${name} may not import ${target}: ${rule.reason}`;
}

function targetOf(file: SourceFile, { specifier }: Import): string {
  const path = importedPath(file, specifier);
  return path?.startsWith(source) ? path.slice(source.length) : specifier;
}

/** The folder of a path below core/src; empty for the files that stand in src itself and for packages. */
function layerOf(path: string): string {
  return path.includes('/') && !path.startsWith('@') ? path.slice(0, path.indexOf('/')) : '';
}
