import type { RedrivesAnswer, RedrivesBody } from '@holdfast/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { askAgain } from './acts.js';
import { postJson } from './http.js';

/** Redrives, and then asks again for everything on the page that counts or lists jobs. */
export function useRedrive() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: RedrivesBody) => postJson<RedrivesAnswer>(['redrives'], body),
    onSettled: () => askAgain(client),
  });
}
