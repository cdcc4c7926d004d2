/** What can be bound: a text, bytes, or a whole number that JavaScript can hold. */
export type SqlValue = string | number | boolean | null | Uint8Array;

/** A piece of SQL with the values at its question marks. Tables are written as `hf.job`; the schema of the store stands for `hf`. */
export class SqlText {
  readonly text: string;
  readonly values: readonly SqlValue[];

  constructor(text: string, values: readonly SqlValue[] = []) {
    this.text = text;
    this.values = values;
  }
}

/** What is put in is bound, never written into the text: a value, a list of them for `in (…)`, or another piece. */
export function sql(
  parts: TemplateStringsArray,
  ...holes: readonly (SqlValue | SqlText | readonly SqlValue[])[]
): SqlText {
  const pieces = holes.map(pieceOf);
  const text = parts.map((part, index) => part + (pieces[index]?.text ?? '')).join('');
  return new SqlText(
    text,
    pieces.flatMap(({ values }) => values),
  );
}

export function joined(pieces: readonly SqlText[], between: string): SqlText {
  return new SqlText(
    pieces.map(({ text }) => text).join(between),
    pieces.flatMap(({ values }) => values),
  );
}

function pieceOf(hole: SqlValue | SqlText | readonly SqlValue[]): SqlText {
  if (hole instanceof SqlText) return hole;
  if (Array.isArray(hole)) return new SqlText(hole.map(() => '?').join(', '), hole);
  return new SqlText('?', [hole as SqlValue]);
}
