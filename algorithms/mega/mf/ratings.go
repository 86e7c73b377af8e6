package mf

import (
	"fmt"
	"math"

	"github.com/penstock-db/penstock/algorithms/mega"
)

// Rating is what a user thinks of an item.
type Rating struct {
	User, Item uint32
	Value      float32
}

// Ratings are ratings by Users of Items; both count from 0.
type Ratings struct {
	Users, Items int
	All          []Rating
}

// Check refuses ratings that nothing can be learned from.
func (r Ratings) Check(learner string) error {
	side := "user"
	switch {
	case r.Users == 0:
	case r.Items == 0:
		side = "item"
	case len(r.All) == 0:
		side = "rating"
	default:
		return r.checkEach(learner)
	}
	return &mega.DataError{Learner: learner, What: "there is no " + side,
		Do: "load a bipartite graph whose relationships go from users to items and have a rating"}
}

func (r Ratings) checkEach(learner string) error {
	for i, a := range r.All {
		where := fmt.Sprintf("rating %d, of item %d by user %d", i, a.Item, a.User)
		if int(a.User) >= r.Users || int(a.Item) >= r.Items {
			return &mega.DataError{Learner: learner, Where: where,
				What: fmt.Sprintf("there are %d users and %d items", r.Users, r.Items), Do: "number both sides from 0"}
		}
		if !(math.Abs(float64(a.Value)) <= math.MaxFloat32) {
			return &mega.DataError{Learner: learner, Where: where, What: fmt.Sprintf("it is %v", a.Value),
				Do: "leave it out, or give it a finite number"}
		}
	}
	return nil
}

// Mean is that of all ratings.
func (r Ratings) Mean() float64 {
	sum := 0.0
	for _, a := range r.All {
		sum += float64(a.Value)
	}
	return sum / float64(len(r.All))
}
