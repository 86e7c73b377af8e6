// The algorithm: the h-index of a vertex is the largest h for which h of its edges lead to vertices of degree h or more.
// (Korn, Schubert and Telcs, "Lobby index in networks", Physica A 2009; after Hirsch 2005.)

export const definition = {
  name: "h-index",
  summary: "the largest h such that h edges lead to vertices of degree h or more",
  source: "Korn, Schubert and Telcs 2009",
  edges: "forward",
  result: [{ name: "h", type: "int" }],
};

// hIndex sorts the edges of a vertex into buckets by the degree of the other end, and goes down from the largest.
// pieces are the parts of its list: other ends, by number. It takes time as the list is long.
export function hIndex(pieces, degree) {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const buckets = new Uint32Array(length + 1);
  for (const piece of pieces) {
    for (let i = 0; i < piece.length; i++) {
      buckets[Math.min(length, degree(piece.at(i)))]++;
    }
  }
  let edges = 0;
  for (let h = length; h > 0; h--) {
    edges += buckets[h];
    if (edges >= h) return h;
  }
  return 0;
}
