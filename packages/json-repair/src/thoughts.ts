/** The marks that models put around their thoughts. */

/** A mark of thoughts: groups 1, 2 and 4 hold the slash of a closing one, group 3 the name of a channel. */
export const THOUGHT =
  /\[(\/?)THINK\]|<(\/?)(?:think(?:ing)?|thoughts?|reasoning|reflection|analysis|scratchpad)\b[^<>]{0,60}>|<\|channel\|>\s*(\w+)|◁(\/?)think▷/iy;

/** Where the thought ends that `from` stands in, -1 if it does not. */
export function endOfThought(text: string, from: number): number {
  const close =
    /<\/(?:think(?:ing)?|thoughts?|reasoning|reflection|analysis|scratchpad)\b|\[\/THINK\]|<\|channel\|>\s*final|◁\/think▷|<\|end\|>/giu;
  close.lastIndex = from;
  return close.exec(text)?.index ?? -1;
}
