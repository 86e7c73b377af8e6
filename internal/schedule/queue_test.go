package schedule

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// queueModel knows of each chunk that a queue holds how often it was gone through, and its value.
type queueModel struct {
	queue  Queue
	gone   map[int]int
	values map[int]uint64
}

// Against a model, whatever happens: nothing of a lower level, or of the same and of a higher value, is passed over;
// and nothing leaves that is of value and has not been gone through as often as it should.
func TestQueue_LowestLevelThenHighestValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		levels := rapid.SampledFrom([]int{1, 2, 3, 4, 5, math.MaxInt32}).Draw(t, "levels")
		m := queueModel{queue: Queue{Levels: levels}, gone: map[int]int{}, values: map[int]uint64{}}
		t.Repeat(map[string]func(*rapid.T){"add": m.add, "restart": m.restart, "next": m.next, "evict": m.evict})
	})
}

func (m *queueModel) value(chunk int) uint64 { return m.values[chunk] }

func (m *queueModel) add(t *rapid.T) {
	c := rapid.IntRange(0, 19).Draw(t, "chunk")
	if _, held := m.gone[c]; held {
		t.Skip("the queue has the chunk that was drawn: rapid draws another action")
	}
	m.queue.Add(c)
	m.gone[c], m.values[c] = 0, rapid.Uint64Range(0, 3).Draw(t, "value")
}

func (m *queueModel) restart(*rapid.T) {
	m.queue.Restart()
	for c := range m.gone {
		m.gone[c] = 0
	}
}

func (m *queueModel) next(t *rapid.T) {
	within := rapid.IntRange(1, m.queue.Levels).Draw(t, "within")
	enough := rapid.Uint64Range(1, 8).Draw(t, "enough")
	next := m.queue.Next(m.value, within, enough)
	m.checkNext(t, next, within, enough)
	for _, got := range next {
		m.gone[got]++
	}
	for c := range 20 {
		if _, held := m.gone[c]; held {
			m.values[c] = rapid.Uint64Range(0, 3).Draw(t, "value")
		}
	}
}

func (m *queueModel) checkNext(t *rapid.T, next []int, within int, enough uint64) {
	edges, least := uint64(0), uint64(4)
	for _, got := range next {
		value, level := m.values[got], m.gone[got]
		if value == 0 || level >= within || level != m.gone[next[0]] || value > least || edges >= enough {
			t.Fatalf("Next = %v, of which %d is of value %d, gone through %d times; within %d, enough %d", next, got, value,
				level, within, enough)
		}
		edges, least = edges+value, value
	}
	for c, level := range m.gone {
		left := m.values[c] > 0 && level < within && !slices.Contains(next, c)
		if left && (len(next) == 0 || level < m.gone[next[0]] || level == m.gone[next[0]] &&
			(m.values[c] > least || edges < enough)) {
			t.Fatalf("Next = %v; chunk %d of value %d has been gone through %d times; within %d, enough %d", next, c,
				m.values[c], level, within, enough)
		}
	}
}

func (m *queueModel) evict(t *rapid.T) {
	within := rapid.IntRange(1, m.queue.Levels).Draw(t, "within")
	got, ok := m.queue.Evict(m.value, within)
	for c, level := range m.gone {
		if may := m.values[c] == 0 || level >= within; may && (!ok || m.values[c] < m.values[got]) {
			t.Fatalf("Evict = %d, %v; chunk %d of value %d has been gone through %d times", got, ok, c, m.values[c], level)
		}
	}
	if ok && m.values[got] > 0 && m.gone[got] < within {
		t.Fatalf("Evict = %d of value %d, gone through %d times of %d", got, m.values[got], m.gone[got], within)
	}
	if ok {
		delete(m.gone, got)
		delete(m.values, got)
	}
}
