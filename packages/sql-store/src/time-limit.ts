/**
 * What the query answers, or an error after so long. The time that the driver keeps begins when a query is sent: one that stands behind another
 * that is never answered would wait for ever. So the connection is of no use any more, and is closed by whoever has it.
 */
export async function answeredIn<Answer>(ms: number, query: Promise<Answer>): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer came within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([query, late]);
  } finally {
    clearTimeout(timer);
  }
}
