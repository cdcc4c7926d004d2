import { posix } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';

/** A module that a source file names in an import, an `export … from` or an `import()`. */
export interface Import {
  readonly specifier: string;
  readonly line: number;
  /** Erased by the compiler: only types are taken. */
  readonly typeOnly: boolean;
  readonly kind: 'import' | 'export' | 'export all' | 'dynamic';
}

export interface FunctionSpan {
  readonly name: string;
  readonly line: number;
  readonly lines: number;
}

/** A use of a name of the world: a global, or a member of one, as in `Date.now`. */
export interface GlobalUse {
  readonly name: string;
  readonly line: number;
}

export interface SourceFile {
  /** From the repository's root, with forward slashes. */
  readonly path: string;
  readonly lines: number;
  readonly imports: readonly Import[];
  readonly functions: readonly FunctionSpan[];
  readonly globalUses: readonly GlobalUse[];
  readonly anyTypes: readonly number[];
}

/** Globals through which time, chance and timers come into a program. */
const worldlyGlobals = new Set([
  'Date',
  'performance',
  'Math',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'clearTimeout',
  'clearInterval',
  'clearImmediate',
]);

export function parseSourceFile(path: string, text: string): SourceFile {
  const { program, module, errors } = parseSync(path, text);
  const [error] = errors;
  if (error !== undefined) throw new Error(`${path} does not parse: ${error.message}`);
  const lineAt = lineIndex(text);
  return {
    path,
    lines: text.split('\n').length - (text.endsWith('\n') ? 1 : 0),
    imports: importsOf(module, text, lineAt),
    ...visit(program, lineAt),
  };
}

/** The file that a relative import means, from the root. TypeScript names the compiled file, so `.js` stands for `.ts`. */
export function importedPath(file: SourceFile, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return undefined;
  return posix.join(posix.dirname(file.path), specifier);
}

export function isTest(path: string): boolean {
  return /\.(test|spec)\.tsx?$/.test(path) || /^[^/]+\/[^/]+\/(test|src\/test)\//.test(path) || path.startsWith('e2e/');
}

type Program = ReturnType<typeof parseSync>['program'];
type EcmaScriptModule = ReturnType<typeof parseSync>['module'];
type LineAt = (offset: number) => number;

function importsOf(module: EcmaScriptModule, text: string, lineAt: LineAt): Import[] {
  const imports = module.staticImports.map(
    ({ start, moduleRequest, entries }): Import => ({
      specifier: moduleRequest.value,
      line: lineAt(start),
      typeOnly: entries.length > 0 && entries.every(({ isType }) => isType),
      kind: 'import',
    }),
  );
  const exports = module.staticExports.flatMap(({ start, entries }) => {
    const from = entries.filter(({ moduleRequest }) => moduleRequest !== null);
    const [first] = from;
    if (first?.moduleRequest == null) return [];
    const all = from.some(({ importName }) => importName.kind === 'All' || importName.kind === 'AllButDefault');
    const typeOnly = from.every(({ isType }) => isType);
    const kind = all ? ('export all' as const) : ('export' as const);
    return [{ specifier: first.moduleRequest.value, line: lineAt(start), typeOnly, kind }];
  });
  const dynamic = module.dynamicImports.flatMap(({ start, moduleRequest }) => {
    const [, , specifier] = /^(['"`])(.*)\1$/.exec(text.slice(moduleRequest.start, moduleRequest.end)) ?? [];
    return specifier === undefined
      ? []
      : [{ specifier, line: lineAt(start), typeOnly: false, kind: 'dynamic' as const }];
  });
  return [...imports, ...exports, ...dynamic];
}

function visit(program: Program, lineAt: LineAt): Pick<SourceFile, 'functions' | 'globalUses' | 'anyTypes'> {
  const functions: FunctionSpan[] = [];
  const globalUses: GlobalUse[] = [];
  const anyTypes: number[] = [];
  /** Names by the position of the function that they name: the node of a function does not know its own. */
  const names = new Map<number, string>();
  const members = new Set<number>();

  const nameFunction = (key: object, value: { start: number } | null) => {
    if (value !== null && 'name' in key && typeof key.name === 'string') names.set(value.start, key.name);
  };
  const measure = (node: { start: number; end: number }, name = names.get(node.start)) => {
    const line = lineAt(node.start);
    functions.push({ name: name ?? 'an anonymous function', line, lines: lineAt(node.end) - line + 1 });
  };

  new Visitor({
    VariableDeclarator({ id, init }) {
      if (id.type === 'Identifier' && init !== null) names.set(init.start, id.name);
    },
    MethodDefinition: ({ key, value }) => nameFunction(key, value),
    Property: ({ key, value }) => nameFunction(key, value),
    PropertyDefinition: ({ key, value }) => nameFunction(key, value),
    FunctionDeclaration: (node) => measure(node, node.id?.name),
    FunctionExpression: (node) => measure(node),
    ArrowFunctionExpression: (node) => measure(node),
    MemberExpression({ object, property, start }) {
      if (object.type !== 'Identifier' || !worldlyGlobals.has(object.name)) return;
      members.add(object.start);
      if ('name' in property) globalUses.push({ name: `${object.name}.${property.name}`, line: lineAt(start) });
    },
    NewExpression({ callee, arguments: given, start }) {
      if (callee.type !== 'Identifier' || callee.name !== 'Date') return;
      members.add(callee.start);
      globalUses.push({ name: given.length === 0 ? 'new Date()' : 'new Date(…)', line: lineAt(start) });
    },
    Identifier({ name, start }) {
      if (worldlyGlobals.has(name) && !members.has(start)) globalUses.push({ name, line: lineAt(start) });
    },
    TSAnyKeyword: ({ start }) => {
      anyTypes.push(lineAt(start));
    },
  }).visit(program);
  return { functions, globalUses, anyTypes };
}

function lineIndex(text: string): LineAt {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}
