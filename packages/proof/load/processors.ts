import { cpus } from "node:os";

/** From now on: gives the share (0 to 1) of the processors that was in use, by anybody. */
export function watchProcessors(): () => number {
  const [idleBefore, allBefore] = times();
  return () => {
    const [idle, all] = times();
    return 1 - (idle - idleBefore) / Math.max(1, all - allBefore);
  };
}

function times(): [idle: number, all: number] {
  let [idle, all] = [0, 0];
  for (const { times } of cpus()) {
    idle += times.idle;
    for (const ms of Object.values(times)) all += ms;
  }
  return [idle, all];
}
