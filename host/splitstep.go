package host

import "github.com/penstock-db/penstock/plugins"

// inStep is the run iteration by iteration.
func (s *split) inStep() error {
	lap := s.newLap()
	for !s.final.Converged && s.final.Number < s.bound() {
		it, err := s.iteration()
		if err != nil {
			return err
		}
		s.iterated(&lap, it, len(s.chunks))
	}
	return nil
}

// iteration has both devices send along their edges at once. The state is the first's; the second has been told of it.
func (s *split) iteration() (plugins.Iteration, error) {
	brought := make(chan error, 1)
	go func() { brought <- s.bring() }()
	err := s.sendAll(s.rest)
	if absent := <-brought; err == nil && absent != nil {
		err = s.again(absent)
	} else if err == nil && !s.isAlone() {
		err = s.rest.talk.send(plugins.Command{Op: plugins.Deliver, At: s.gathered, Among: s.among}, exchange{})
		s.report.Merges++
	}
	if err != nil {
		return s.final, err
	}
	e, err := s.rest.talk.do(plugins.Command{Op: plugins.Apply}, nil)
	if err != nil {
		return s.final, err
	}
	return *e.Iteration, nil
}

// bring has the second device gather what comes along its edges.
func (s *split) bring() error {
	if s.isAlone() {
		return nil
	}
	talk := s.dense.talk
	talk.expect(s.final.Number)
	if err := talk.send(plugins.Command{Op: plugins.Restore, Iteration: s.final}, exchange{}); err != nil {
		return err
	}
	if err := s.sendAll(s.dense); err != nil {
		return err
	}
	_, err := talk.do(plugins.Command{Op: plugins.Gather, At: s.gathered, Among: s.among}, nil)
	return err
}

// sendAll has a device send along all edges that it has.
func (s *split) sendAll(d *device) error {
	for _, i := range d.has {
		if err := d.talk.send(plugins.Command{Op: plugins.Step, Chunk: uint32(i)}, exchange{}); err != nil {
			return err
		}
	}
	return nil
}

// again begins an iteration anew, with all edges on the first device.
func (s *split) again(absent error) error {
	if err := s.goOnAlone(absent); err != nil {
		return err
	}
	if err := s.restore(s.final); err != nil {
		return err
	}
	return s.sendAll(s.rest)
}
