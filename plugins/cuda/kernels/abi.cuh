// What the host, the kernels and the functions that programs are lowered to agree on. abi.go has the same
// in Go. Every field takes 8 bytes; pointers are addresses on the card.
#pragma once

typedef unsigned char u8;
typedef int i32;
typedef unsigned int u32;
typedef long long i64;
typedef unsigned long long u64;
typedef double f64;

enum Type { FLOAT = 0, INT = 1, BOOL = 2 };                           // algorithms.Type; a VertexID is an INT
enum Reduce { SUM = 0, PROD = 1, MIN = 2, MAX = 3, AND = 4, OR = 5 }; // algorithms.Reduce
enum Activity { CHANGED = 0, ALWAYS = 1 };                            // algorithms.Activity
enum Norm { NO_NORM = 0, L1 = 1, L_INF = 2 };                         // algorithms.Norm

const int MAX_COLUMNS = 64;
const int MAX_EDGE_COLUMNS = 16;

// The columns of a vertex: a FLOAT or an INT takes 8 bytes, a BOOL one.
const int COLUMN_ID = 0;
const int COLUMN_OUT_DEGREE = 1;
const int COLUMN_IN_DEGREE = 2;
const int COLUMN_STATE = 3; // and those after it

// Counters are what kernels tell the host.
struct Counters {
	u64 active;  // vertices
	u64 edges;   // that were gone along
	f64 change;  // of the first state column, by the program's norm
	u64 invalid; // not 0: what was looked at is damaged
};

// Program is a vertex program and its state.
struct Program {
	u64 vertices;
	u64 reduce, acc_type, activity, norm; // of the enumerations above
	u64 first_type;                       // of the first state column
	const u64 *constants;                 // the bits of each
	f64 *aggregates;
	u64 *acc;         // 8 bytes a vertex: what has come; of MIN, MAX, AND and OR as keys (keys.cuh) until Apply
	u64 *active;      // bitmaps: vertex v is bit v % 64 of word v / 64
	u64 *next_active; // scratch, as long
	Counters *counters;
	u8 *columns[MAX_COLUMNS];
	u64 *messages; // 8 bytes a vertex, where rows receive: what each vertex sends but for the edge (vertex.cu)
};

// Chunk is a CSR on the card: row i is the vertex rows_base + (vertices ? vertices[i] : i), its list
// neighbors[offsets[i]] up to neighbors[offsets[i + 1]], each a vertex less cols_base.
struct Chunk {
	u64 rows, edges;
	u64 rows_base, cols_base;
	const u32 *vertices; // or 0: every vertex of the interval has a row
	const i32 *offsets;  // rows + 1
	const u32 *neighbors;
	const f64 *columns[MAX_EDGE_COLUMNS]; // in the order of Program.EdgeColumns, one value an edge
};
