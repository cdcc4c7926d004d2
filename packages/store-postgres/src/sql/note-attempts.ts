/** Of these pairs of job and token, the live leases, held until the notes are kept, with what is known of all attempts of their jobs. */
export const NOTED_LEASES = `
select l.number, l.token, (select json_agg(n order by n.token) from hf.note n where n.number = l.number) as notes
from hf.lease l join unnest($1::int8[], $2::int8[]) as g(number, token) on l.number = g.number and l.token = g.token
order by l.number for update of l`;

export const KEEP_NOTES = `
insert into hf.note (number, token, progress, lines, dropped_lines)
select * from unnest($1::int8[], $2::int8[], $3::text[], $4::text[], $5::int8[])
on conflict (number, token) do update set progress = excluded.progress, lines = excluded.lines,
  dropped_lines = excluded.dropped_lines`;
