package mega

import "sync"

// losses adds up what workers lose in each epoch.
type losses struct {
	mu      sync.Mutex
	workers int
	sums    []float64
	parts   [][]float64 // by epoch and worker, so that the sum has one order
	ended   []int       // workers that have finished the epoch
	told    int
	tell    func(int, float64)
}

func newLosses(o Options) *losses {
	return &losses{workers: o.Workers, sums: make([]float64, o.Epochs), parts: make([][]float64, o.Epochs),
		ended: make([]int, o.Epochs), tell: o.Epoch}
}

// add is called by each worker at the end of each of its epochs.
func (l *losses) add(worker, epoch int, loss float64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.parts[epoch] == nil {
		l.parts[epoch] = make([]float64, l.workers)
	}
	l.parts[epoch][worker] = loss
	l.ended[epoch]++
	for l.told < len(l.ended) && l.ended[l.told] == l.workers {
		for _, x := range l.parts[l.told] {
			l.sums[l.told] += x
		}
		l.parts[l.told] = nil
		if l.tell != nil {
			l.tell(l.told, l.sums[l.told])
		}
		l.told++
	}
}
