/** What a store asks while nothing happens, by what it is for. The first that fits a text is its kind. */
const KINDS = [
  ['looks for jobs', /insert into \w+\.lease|exists \(select 1 from \w+\.ready/],
  ['looks what is due', /due_in_ms|due_at_ms/],
  ['asks for the lead', /\bas leads$/],
  ['shows that it is alive', /^select 1$/],
  ['tells of its workers', /\.crew\b|^select \(timestampdiff.* as heard_until_ms$/],
  ['forgets what is old', /delete from|for update skip locked|\.lease_expiry|\.ended/],
] as const;

const OTHER = 'anything else';
export type StatementKind = (typeof KINDS)[number][0] | typeof OTHER;

export const STATEMENT_KINDS: readonly StatementKind[] = [...KINDS.map(([kind]) => kind), OTHER];

export function kindOf(text: string): StatementKind {
  const oneLine = text.trim().replaceAll(/\s+/g, ' ');
  if (/^(?:start transaction|begin|commit|rollback|set )/i.test(oneLine)) return 'forgets what is old';
  return KINDS.find(([, pattern]) => pattern.test(oneLine))?.[0] ?? OTHER;
}
