const packed = await new Response(new Blob([Uint8Array.from(atob(packedText), (c) => c.charCodeAt(0))]).stream()
  .pipeThrough(new DecompressionStream("deflate"))).json();
/* Of each input: how many decimals, then whole numbers, each less the one before; or -1, then the knots. */
function unpackKnots(lists) {
  const all = [];
  for (const [decimals, ...list] of lists) {
    let sum = 0;
    for (const step of list) all.push(decimals < 0 ? step : (sum += step) / Number("1e" + decimals));
  }
  return new Float64Array(all);
}
/* Of each input: ranks of how many half rows, whether they are blended, then the ranks, each less the one before; or 0,
 * 0, then the heights. */
function unpackHeights(lists, knots) {
  const all = [];
  for (const [ranks, blended, ...list] of lists) {
    const from = all.length, first = knots[from], width = knots[from + list.length - 1] - first;
    let sum = 0;
    for (const step of list) {
      const height = ranks === 0 ? step : (sum += step) / ranks;
      all.push(blended ? (height + (knots[all.length] - first) / width) / 2 : height);
    }
  }
  return new Float64Array(all);
}
