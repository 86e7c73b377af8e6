package schedule

import "math"

// Costs are the seconds that a unit of work takes, as far as a run knows.
type Costs struct {
	Read  float64 // a byte of a chunk, into its slot
	Look  float64 // a byte that is read of a chunk that lists are cut out of for the first time
	Cut   float64 // a byte of lists, cut out and put together
	Link  float64 // a byte, on its way to the device
	Check float64 // a byte, until it is resident
	Step  float64 // an edge, in kernels
	// Barrier is what a chunk takes, on average, out of which lists are cut: until they are found and put together.
	Barrier float64
	// Reuse is how many edges were processed in the turns of chunks that stay, for each edge that was useful when they
	// came; 0: none has come.
	Reuse float64
	// Byte is what a byte less is worth: what the run has taken so far, over the bytes that it has sent. So a hundredth
	// of the run's bytes is worth as much as a hundredth of its time.
	Byte float64
	// Measured tells them from what is assumed before anything has been done.
	Measured bool
	Readers  int // how many read and cut at once
	// Page is how many bytes of a chunk are read at once for the lists that are cut out of it; 0: all.
	Page uint64
}

// Stages are the seconds that the stages of an iteration take. They overlap, so that it takes
// about as long as the longest.
type Stages struct{ Prepare, Link, Device float64 }

func (a Stages) plus(b Stages) Stages {
	return Stages{a.Prepare + b.Prepare, a.Link + b.Link, a.Device + b.Device}
}

func (a Stages) minus(b Stages) Stages {
	return Stages{a.Prepare - b.Prepare, a.Link - b.Link, a.Device - b.Device}
}

// Longest is what the iteration takes.
func (a Stages) Longest() float64 { return max(a.Prepare, a.Link, a.Device) }

// price is what an iteration costs: time, and bytes to the device.
type price struct {
	Stages
	bytes float64
}

func (a price) plus(b price) price           { return price{a.Stages.plus(b.Stages), a.bytes + b.bytes} }
func (a price) minus(b price) price          { return price{a.Stages.minus(b.Stages), a.bytes - b.bytes} }
func (a price) seconds(each float64) float64 { return a.Longest() + a.bytes*each }

// less tells whether a costs less than b where a byte costs so much, or as much and has less work.
func (a price) less(b price, each float64) bool {
	left, right := a.seconds(each), b.seconds(each)
	return left < right || left == right && a.shorter(b.Stages)
}

// shorter tells whether a ends before b does, or with less work.
func (a Stages) shorter(b Stages) bool {
	work := func(s Stages) float64 { return s.Prepare + s.Link + s.Device }
	return a.Longest() < b.Longest() || a.Longest() == b.Longest() && work(a) < work(b)
}

// bound names the longest stage.
func (a Stages) bound() string {
	switch a.Longest() {
	case a.Prepare:
		return "reading and cutting"
	case a.Link:
		return "the link"
	}
	return "the device"
}

// Predict is what an iteration with these loads will take.
func (s State) Predict(loads []Load) (all Stages) {
	for _, l := range loads {
		all = all.plus(s.stages(l))
	}
	return all
}

// stages is a load's share of it.
func (s State) stages(l Load) Stages {
	c, is := s.Chunks[l.Chunk], s.Costs
	edges, bytes := s.edges(l.Chunk), float64(c.Bytes)
	if c.Here {
		return Stages{Device: edges * is.Step}
	}
	prepare := bytes * is.Read
	if c.InArena {
		prepare = 0
	}
	if l.Part {
		bytes = s.partBytes(l.Chunk)
	}
	if l.Part && !s.Selects {
		if prepare = bytes * is.Cut; !c.Seen {
			prepare += s.looked(l.Chunk) * is.Look
		}
	}
	return Stages{Prepare: prepare / float64(max(1, is.Readers)), Link: bytes * is.Link, Device: bytes*is.Check +
		edges*is.Step}
}

// looked is what is read of a chunk to cut the lists of active vertices out of it: all; or, where single pages are, all
// but the neighbors, and of these the pages that lists are expected in, if they lie anywhere alike.
func (s State) looked(chunk int) float64 {
	c := s.Chunks[chunk]
	neighbors := 4 * float64(c.Edges)
	if s.Costs.Page == 0 || neighbors > float64(c.Bytes) {
		return float64(c.Bytes)
	}
	pages := max(1, math.Ceil(neighbors/float64(s.Costs.Page)))
	// A list is in the page where it begins, and in one more for each page of its length.
	hits := float64(s.Lists[chunk]) + 4*float64(s.Demand[chunk])/float64(s.Costs.Page)
	return float64(c.Bytes) - neighbors*math.Pow(1-1/pages, hits)
}

// price is a load's share of what an iteration costs.
func (s State) price(l Load) price { return price{s.stages(l), s.Bytes(l)} }

// prices are what an iteration with these loads costs.
func (s State) prices(loads []Load) (all price) {
	for _, l := range loads {
		all = all.plus(s.price(l))
	}
	return all
}

// Bytes is what a load sends to the device.
func (s State) Bytes(l Load) float64 {
	switch c := s.Chunks[l.Chunk]; {
	case c.Here:
		return 0
	case l.Part && s.Selects:
		return s.partBytes(l.Chunk)
	case l.Part: // where there is nothing to save, a chunk is sent as it is stored
		return min(s.partBytes(l.Chunk), float64(c.Bytes))
	default:
		return float64(c.Bytes)
	}
}

// edges are those of a chunk that the device looks at in a round.
func (s State) edges(chunk int) float64 {
	if s.Demand != nil {
		return float64(s.Demand[chunk])
	}
	return float64(s.Chunks[chunk].Edges)
}

// partBytes is what the lists of active vertices take, each of which has its vertex beside where it begins.
func (s State) partBytes(chunk int) float64 {
	if s.Entry > 0 {
		return 8*float64(s.Lists[chunk]) + float64(s.Entry)*float64(s.Demand[chunk])
	}
	c := s.Chunks[chunk]
	return 8*float64(s.Lists[chunk]) + s.share(s.Demand, chunk)*(float64(c.Bytes)-4*float64(c.Rows))
}
