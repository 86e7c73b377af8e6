package vector

const (
	panelColumns = 32
	panelRows    = 256 // of a panel and of a block's columns at a time: they stay in the first cache
)

// Panels is a matrix of K rows and N columns as products read it: panels of up to 32 columns, row after row.
type Panels[T Number] struct {
	K, N int
	Of   []T // K · N
}

// Pack takes the numbers of a matrix of K rows, or of N rows that are its columns.
func (p Panels[T]) Pack(from []T, transposed bool) {
	to := p.Of
	for j := 0; j < p.N; j += panelColumns {
		wide := min(panelColumns, p.N-j)
		for k := range p.K {
			if !transposed {
				copy(to[:wide], from[k*p.N+j:])
			} else {
				for i := range wide {
					to[i] = from[(j+i)*p.K+k]
				}
			}
			to = to[wide:]
		}
	}
}

// Multiply computes rows of out, of N numbers each, of those of x, which have K.
func (p Panels[T]) Multiply(out, x []T, rows int) {
	if rows == 0 {
		return
	}
	clear(out[:rows*p.N])
	for k := 0; k < p.K; k += panelRows {
		deep := min(panelRows, p.K-k)
		for j := 0; j < p.N; j += panelColumns {
			wide := min(panelColumns, p.N-j)
			AddProduct(out[j:], p.N, x[k:], p.K, 1, p.Of[j*p.K+k*wide:], wide, rows, wide, deep)
		}
	}
}

// AddOuter adds Σ xᵀ·y over so many rows to sum, whose rows are of y's width.
func AddOuter[T Number](sum, x, y []T, rows, xWidth, yWidth int) {
	for j := 0; rows > 0 && j < yWidth; j += panelColumns {
		AddProduct(sum[j:], yWidth, x, 1, xWidth, y[j:], yWidth, xWidth, min(panelColumns, yWidth-j), rows)
	}
}

// AddProduct adds the product of a and b to c, which has so many rows of n numbers, at most 32:
//
//	c[r·cRow + j] += Σₖ a[r·aRow + k·aStep] · b[k·bStep + j]
//
// k goes upward for each number, whatever tile it is in.
func AddProduct[T Number](c []T, cRow int, a []T, aRow, aStep int, b []T, bStep, rows, n, k int) {
	if rows == 0 || n == 0 || k == 0 {
		return
	}
	c, a, b = c[:(rows-1)*cRow+n], a[:(rows-1)*aRow+(k-1)*aStep+1], b[:(k-1)*bStep+n]
	if isSingle[T]() && addTiles(first(c), cRow, first(a), aRow, aStep, first(b), bStep, rows, n, k) {
		return
	}
	for r := range rows {
		to := c[r*cRow:][:n]
		for i := range k {
			s := a[r*aRow+i*aStep]
			for j, x := range b[i*bStep:][:n] {
				to[j] += s * x
			}
		}
	}
}
