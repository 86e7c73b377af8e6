// A chunk is an Arrow stream: a row for each vertex, with its list of edges. formats/chunk/doc.go tells the rest.
import { tableFromIPC } from "apache-arrow";
import { Failure } from "./failure.mjs";

// Directions of lists, as metadata has them and as a plan asks for them.
export const directions = { out: 1, both: 3 };

// open reads a chunk and sees that it belongs to a graph of so many vertices, and to a plan. Nothing in it is believed.
export function open(bytes, number, vertices, wanted) {
  const bad = (what) => new Failure("chunk", `chunk ${number}: ${what}`, number);
  let batch, metadata;
  try {
    const table = tableFromIPC(bytes);
    if (table.batches.length !== 1) throw new Error(`${table.batches.length} record batches`);
    [batch, metadata] = [table.batches[0], table.schema.metadata];
  } catch (error) {
    throw bad(error.message);
  }
  const line = metadata.get("penstock");
  if (!line) throw bad("it has no metadata of version 3");
  const [, , direction, ...numbers] = line.split(" "); // version, snapshot, direction, and so on; the graph's name last
  const [rowBase, rowCount, columnBase, columnCount] = numbers.map(Number);
  if (directions[direction] !== wanted) throw bad(`its lists are ${direction}`);
  if (!(rowBase + rowCount <= vertices && columnBase + columnCount <= vertices)) throw bad("it exceeds the graph");

  const lists = batch.getChild("edges")?.data[0];
  const neighbors = lists?.children[0].children[0].values;
  const offsets = lists?.valueOffsets;
  const present = batch.getChild("vertex")?.data[0].values;
  if (!neighbors || !offsets) throw bad("it has no lists");
  const rows = [];
  for (let row = 0; row < batch.numRows; row++) {
    const vertex = rowBase + (present ? present[row] : row);
    const [from, to] = [offsets[row], offsets[row + 1]];
    if (vertex >= rowBase + rowCount || !(0 <= from && from <= to && to <= neighbors.length)) throw bad(`row ${row}`);
    rows.push({ vertex, piece: { length: to - from, at: (i) => columnBase + neighbors[from + i] } });
  }
  for (const neighbor of neighbors) {
    if (neighbor >= columnCount) throw bad(`an edge leads to column ${neighbor} of ${columnCount}`);
  }
  return { rows, edges: neighbors.length };
}
