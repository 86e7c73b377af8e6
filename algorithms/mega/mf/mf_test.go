package mf

import (
	"errors"
	"math"
	"testing"

	"github.com/penstock-db/penstock/algorithms/mega"
	"github.com/penstock-db/penstock/algorithms/mega/megatest"
	"github.com/penstock-db/penstock/internal/testseed"
)

func demo(t *testing.T) (train Ratings, test []Rating) {
	read := func(file string) (all []Rating) {
		megatest.Lines(t, "libmf-demo/"+file, func(f []string) {
			a := Rating{uint32(megatest.Number(t, f[0])), uint32(megatest.Number(t, f[1])), float32(megatest.Number(t, f[2]))}
			train.Users, train.Items = max(train.Users, int(a.User)+1), max(train.Items, int(a.Item)+1)
			all = append(all, a)
		})
		return all
	}
	train.All, test = read("real_matrix.tr.txt"), read("real_matrix.te.txt")
	return train, test
}

// On LIBMF's own ratings, where that program comes to 1.008, biases come to 0.908, and factors with biases below.
func TestDemo(t *testing.T) {
	train, test := demo(t)
	biases, err := Biases(train, 5)
	if err != nil {
		t.Fatal(err)
	}
	baseline := biases.RMSE(test)
	if math.Abs(baseline-0.908) > 0.0005 {
		t.Errorf("biases come to %v, not 0.908", baseline)
	}
	for name, learn := range map[string]func() (*Model, error){
		"sgd": func() (*Model, error) { return Train(train, Params{32, 20, 0.05, 7, 1}) },
		"als": func() (*Model, error) { return Alternate(train, Params{16, 30, 1, 10, 1}) },
	} {
		m, err := learn()
		if err != nil {
			t.Fatal(err)
		}
		t.Log(name, m.RMSE(test))
		if m.RMSE(test) >= baseline {
			t.Errorf("%s comes to %v, biases to %v", name, m.RMSE(test), baseline)
		}
	}
}

// Where steps are small, the sum of a step's changes is the gradient of the objective: by central differences.
func TestGradient(t *testing.T) {
	r := testseed.Rand(t)
	train, _ := planted(r, 5, 4, 20, 3, 0.5)
	train.All = train.All[:1]
	m := newModel(train, 3)
	m.draw(r.Uint64())
	a, l2, rate := train.All[0], 0.7, 1e-7
	m.UserBias[a.User], m.ItemBias[a.Item] = r.NormFloat64(), r.NormFloat64()
	objective := func() float64 {
		e := float64(a.Value) - m.Predict(a.User, a.Item)
		p, q, b, c := m.user(a.User), m.item(a.Item), m.UserBias[a.User], m.ItemBias[a.Item]
		return e*e + l2*(b*b+c*c+dot(p, p)+dot(q, q))
	}
	numbers := []*float64{&m.UserBias[a.User], &m.ItemBias[a.Item], &m.user(a.User)[1], &m.item(a.Item)[2]}
	var want, before []float64
	for _, x := range numbers {
		was := *x
		*x = was + 1e-5
		up := objective()
		*x = was - 1e-5
		want, before = append(want, (up-objective())/4e-5), append(before, was)
		*x = was
	}
	user, item := vertexRate{1e6, 1, l2}, vertexRate{1e6, 1, l2}
	m.step(a, &user, &item, rate*1e3)
	for i, x := range numbers {
		if got := (before[i] - *x) / rate; math.Abs(got-want[i]) > 1e-3*(1+math.Abs(want[i])) {
			t.Errorf("number %d goes by %v, not %v", i, got, want[i])
		}
	}
}

// Least squares never make the objective larger.
func TestAlternateDescends(t *testing.T) {
	train, _ := planted(testseed.Rand(t), 40, 20, 300, 3, 0.5)
	was := math.Inf(1)
	for epochs := 1; epochs < 6; epochs++ {
		m, err := Alternate(train, Params{4, epochs, 1, 2, 1})
		if err != nil {
			t.Fatal(err)
		}
		if is := m.Objective(train, 2); is > was*(1+1e-12) {
			t.Errorf("%v after %d epochs, %v before", is, epochs, was)
		} else {
			was = is
		}
		for _, x := range []*float64{&m.Q[5], &m.Q[8], &m.ItemBias[3]} { // the side found last lies at a minimum
			at := *x
			*x = at + 1e-4
			up := m.Objective(train, 2)
			*x = at - 1e-4
			if slope := (up - m.Objective(train, 2)) / 2e-4; math.Abs(slope) > 1e-5 {
				t.Errorf("the objective has the slope %v", slope)
			}
			*x = at
		}
	}
}

func TestRefusals(t *testing.T) {
	good := Defaults()
	for _, change := range []func(p *Params){
		func(p *Params) { p.Rank = 0 }, func(p *Params) { p.Epochs = 0 }, func(p *Params) { p.Rate = math.NaN() },
		func(p *Params) { p.L2 = -1 }, func(p *Params) { p.L2 = math.Inf(1) },
	} {
		p := good
		change(&p)
		var refused *mega.ParamError
		if _, err := Train(Ratings{1, 1, []Rating{{0, 0, 1}}}, p); !errors.As(err, &refused) {
			t.Errorf("%+v: %v", p, err)
		}
	}
	nan := float32(math.NaN())
	for _, r := range []Ratings{{0, 1, nil}, {1, 0, nil}, {1, 1, nil}, {1, 1, []Rating{{0, 0, nan}}},
		{1, 1, []Rating{{1, 0, 2}}}} {
		var refused *mega.DataError
		if _, err := Alternate(r, good); !errors.As(err, &refused) {
			t.Errorf("%+v: %v", r, err)
		}
	}
}
