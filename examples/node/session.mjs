// A session is one run: one task, and commands one after the other.
import * as fs from "node:fs";
import * as chunk from "./chunk.mjs";
import { Failure } from "./failure.mjs";
import { definition, hIndex } from "./hindex.mjs";

const smallestChunk = 1024; // bytes: what is left for chunks, at least
const rowBytes = 160; // what a row of a chunk takes here, beside the chunk
const ops = { 1: "upload", 2: "evict", 7: "call" };

export class Session {
  constructor({ arena, budget, graph }) {
    this.vertices = graph.vertices;
    this.direction = graph.directed ? chunk.directions.out : chunk.directions.both;
    this.budget = budget || Infinity; // 0: no bound
    this.used = this.peak = 0;
    this.chunks = new Map();
    this.file = openShared(arena.path);
  }

  close() {
    fs.closeSync(this.file);
  }

  // compile makes the procedure ready, and says what it takes beside chunks: columns, and copies of two of them.
  compile(task) {
    if (task.procedure !== definition.name) throw new Failure("unsupported", `procedure "${task.procedure}"`);
    const columns = task.layout?.columns ?? [];
    const column = (name) => {
      const found = columns.find((c) => c.name === name && c.type === 2);
      if (!found || found.range.length < 8 * this.vertices) throw new Failure("invalid", `no column ${name} of integers`);
      return found.range;
    };
    [this.degrees, this.result] = [column("out_degree"), column("h")];
    const layout = columns.reduce((sum, c) => sum + c.range.length, task.layout.active?.length ?? 0);
    const fixed = layout + 16 * this.vertices;
    if (this.used + fixed + smallestChunk > this.budget) this.refuse(fixed + smallestChunk, "the task");
    this.take(fixed, "the task");
    return { directions: [this.direction], fixed, kernel: "javascript" };
  }

  // obey does what a command says, and answers.
  obey(command) {
    const op = ops[command.op];
    if (!op) throw new Failure("invalid", `operation ${command.op} is none of a procedure`);
    if (!this.degrees) throw new Failure("invalid", "nothing was compiled");
    return this[op](command);
  }

  // upload copies a chunk, for JavaScript cannot map files: the host may have its place back.
  upload({ chunk: number, at, file }) {
    if (file) throw new Failure("invalid", "this plugin maps no files");
    if (this.chunks.has(number)) throw new Failure("invalid", `chunk ${number} is there already`, number);
    this.take(at.length, "a chunk");
    let added = at.length;
    try {
      const opened = chunk.open(this.read(at), number, this.vertices, this.direction);
      this.take(rowBytes * opened.rows.length, "the rows of a chunk");
      added += rowBytes * opened.rows.length;
      this.chunks.set(number, { ...opened, bytes: added });
    } catch (error) {
      this.used -= added;
      throw error;
    }
    return { released: true };
  }

  evict({ chunk: number }) {
    const evicted = this.chunks.get(number);
    if (!evicted) throw new Failure("invalid", `chunk ${number} is not here`, number);
    this.chunks.delete(number);
    this.used -= evicted.bytes;
    return {};
  }

  // call computes: a list may lie in several chunks.
  call() {
    const bytes = this.read({ offset: this.degrees.offset, length: 8 * this.vertices });
    const degrees = new BigInt64Array(bytes.buffer, 0, this.vertices);
    const pieces = new Map();
    let edges = 0;
    for (const c of this.chunks.values()) {
      edges += c.edges;
      for (const { vertex, piece } of c.rows) {
        if (pieces.has(vertex)) pieces.get(vertex).push(piece);
        else pieces.set(vertex, [piece]);
      }
    }
    const result = new BigInt64Array(this.vertices);
    for (const [vertex, list] of pieces) result[vertex] = BigInt(hIndex(list, (v) => Number(degrees[v])));
    write(this.file, Buffer.from(result.buffer), this.result.offset);
    return { edges };
  }

  // take charges what is about to be allocated, or refuses.
  take(bytes, what) {
    if (this.used + bytes > this.budget) this.refuse(bytes, what);
    this.used += bytes;
    this.peak = Math.max(this.peak, this.used);
  }

  refuse(bytes, what) {
    throw new Failure("budget", `${what} needs ${bytes} bytes beside ${this.used} in use; there are ${this.budget}`);
  }

  // read copies a range of the arena.
  read({ offset, length }) {
    const bytes = Buffer.from(new ArrayBuffer(length));
    for (let done = 0; done < length; ) {
      const n = fs.readSync(this.file, bytes, done, length - done, offset + done);
      if (n === 0) throw new Failure("invalid", `the arena ends before ${offset + length}`);
      done += n;
    }
    return bytes;
  }
}

// openShared opens shared memory: what is written there the host sees. Within walls a plugin is handed files over a
// socket, by descriptors, which Node cannot take.
function openShared(path) {
  try {
    return fs.openSync(path, "r+");
  } catch (error) {
    const why = process.env.PENSTOCK_FILES ? ": within walls Node cannot; give --no-confinement hindex" : "";
    throw new Failure("unsupported", `the arena cannot be opened (${error.code})${why}`);
  }
}

function write(file, bytes, offset) {
  for (let done = 0; done < bytes.length; ) done += fs.writeSync(file, bytes, done, bytes.length - done, offset + done);
}
