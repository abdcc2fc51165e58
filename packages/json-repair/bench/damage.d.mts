export function damaged(
  nth: number,
  slips?: number,
): { value: unknown; json: string; text: string; slips: string[] } | undefined;
