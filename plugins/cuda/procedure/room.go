package procedure

import "github.com/penstock-db/penstock/plugins/cuda/driver"

// room divides a procedure's scratch. A procedure takes its arrays from it when it is made: once from one that
// begins nowhere, to know how many bytes that comes to, and once from memory of that size.
type room struct {
	at    driver.Pointer
	bytes uint64 // taken
}

// roomAlign suits every load.
const roomAlign = 256

// take is an array of so many values of so many bytes each.
func (r *room) take(count, width uint64) driver.Pointer {
	at := r.at + driver.Pointer(r.bytes)
	r.bytes += (count*width + roomAlign - 1) / roomAlign * roomAlign
	return at
}

// queue is vertices in a row, and how many there are.
type queue struct{ items, count driver.Pointer }

func (r *room) queue(most uint64) queue { return queue{r.take(most, 4), r.take(1, 8)} }
