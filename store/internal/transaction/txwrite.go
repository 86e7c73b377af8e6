package transaction

import (
	"slices"
	"strings"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/store/internal/base"
	"github.com/penstock-db/penstock/store/internal/delta"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/manifest"
)

// writable tells why nothing can be changed.
func (tx *Tx) writable() error {
	switch {
	case tx.done:
		return ErrTxDone
	case tx.Draft == nil:
		return ErrReadOnly
	}
	return tx.room(&tx.Draft.State)
}

// CreateNode makes a node. In a graph whose nodes have ids of the user's it gets the next
// integer that is free; its id can be set until the transaction ends.
func (tx *Tx) CreateNode(labels []base.Token) (uint64, error) {
	if err := tx.writable(); err != nil {
		return 0, err
	}
	id := tx.Graph.nextNode.Add(1) - 1
	if id >= manifest.MaxVertices {
		return 0, &failure.TooLargeError{What: "vertices", Size: id + 1, Limit: manifest.MaxVertices}
	}
	if err := tx.checkLabels(labels); err != nil {
		return 0, err
	}
	labels = slices.Clone(labels)
	slices.Sort(labels)
	tx.Draft.CreateNode(id, slices.Compact(labels))
	if tx.Base.IDs != nil {
		tx.Draft.SetNodeProperty(id, tx.Base.IDs.Key, value.OfInt(tx.Graph.nextID.Add(1)-1))
	}
	tx.check(id)
	return id, nil
}

// CreateRelationship makes a relationship. In an undirected graph it leads from the lower to
// the higher id, as all do there.
func (tx *Tx) CreateRelationship(start, end uint64, typ base.Token) (uint64, error) {
	if err := tx.writable(); err != nil {
		return 0, err
	}
	for _, node := range [2]uint64{start, end} {
		if !tx.NodeExists(node) {
			return 0, tx.nodeDeleted(node)
		}
	}
	if !tx.Base.Manifest.Directed {
		start, end = min(start, end), max(start, end)
	}
	id := tx.Graph.nextRelationship.Add(1) - 1
	tx.Draft.CreateRelationship(id, start, end, typ)
	tx.checkRelationship(id)
	return id, nil
}

// SetNodeProperty gives a node's property a value; null removes it.
func (tx *Tx) SetNodeProperty(id uint64, key base.Token, v value.Value) error {
	if err := tx.writable(); err != nil {
		return err
	}
	if _, err := tx.node(id); err != nil {
		return err
	}
	if tx.Base.IDs != nil && key == tx.Base.IDs.Key {
		return tx.setID(id, v)
	}
	if err := tx.checkKey(key); err != nil {
		return err
	}
	if v.IsNull() {
		if old, err := tx.NodeProperty(id, key); err != nil || old.IsNull() {
			return err
		}
	}
	tx.Draft.SetNodeProperty(id, key, v)
	tx.check(id)
	return nil
}

// check notes that a node has to be looked at by the next CheckConstraints.
func (tx *Tx) check(node uint64) {
	if len(tx.Base.Constraints) > 0 {
		tx.unchecked = append(tx.unchecked, node)
	}
}

// checkRelationship is check of a relationship.
func (tx *Tx) checkRelationship(id uint64) {
	if len(tx.Base.Constraints) > 0 {
		tx.uncheckedRelationships = append(tx.uncheckedRelationships, id)
	}
}

// SetRelationshipProperty gives a relationship's property a value; null removes it.
func (tx *Tx) SetRelationshipProperty(id uint64, key base.Token, v value.Value) error {
	if err := tx.writable(); err != nil {
		return err
	}
	from, err := tx.relationshipNow(id)
	if err != nil {
		return err
	}
	if err := tx.checkKey(key); err != nil {
		return err
	}
	if v.IsNull() {
		if old, err := tx.RelationshipProperty(id, key); err != nil || old.IsNull() {
			return err
		}
	}
	tx.Draft.SetRelationshipProperty(id, from, key, v)
	tx.checkRelationship(id)
	return nil
}

// checkKey refuses property names that a snapshot cannot have.
func (tx *Tx) checkKey(key base.Token) error {
	switch name := tx.KeyName(key); {
	case name == "":
		return &failure.PropertyError{Name: name, Reason: "needs a name"}
	case name[0] == ':':
		return &failure.PropertyError{Name: name, Reason: "begins with ':', as no property does; choose another name"}
	}
	return nil
}

// checkLabels refuses labels that a snapshot cannot have.
func (tx *Tx) checkLabels(labels []base.Token) error {
	for _, l := range labels {
		if name := tx.LabelName(l); name == "" || strings.Contains(name, manifest.LabelSeparator) {
			return &LabelError{Label: name}
		}
	}
	return nil
}

// relationshipNow is a record for a relationship that may have none yet.
func (tx *Tx) relationshipNow(id uint64) (from delta.Relationship, err error) {
	if _, err := tx.relationship(id); err != nil {
		return from, err
	}
	from.Start, from.End, from.Type, err = tx.Ends(id)
	return from, err
}

// AddLabel gives a node a label; changed tells whether it lacked it.
func (tx *Tx) AddLabel(id uint64, label base.Token) (changed bool, err error) {
	old, err := tx.labelsToChange(id)
	if err != nil || slices.Contains(old, label) {
		return false, err
	}
	if err := tx.checkLabels([]base.Token{label}); err != nil {
		return false, err
	}
	labels := append(slices.Clone(old), label)
	slices.Sort(labels)
	tx.Draft.SetLabels(id, old, labels)
	tx.check(id)
	return true, tx.indexUnder(id, label)
}

// indexUnder sees to it that indexes of a label find a node that has got it.
func (tx *Tx) indexUnder(id uint64, label base.Token) error {
	if id >= tx.Base.Vertices || len(tx.Base.Indexes) == 0 {
		return nil
	}
	missing, err := tx.Base.Unindexed(id, label, tx.State.Nodes.Get(id).Properties)
	for _, p := range missing {
		tx.Draft.SetNodeProperty(id, p.Key, p.Value)
	}
	return err
}

// RemoveLabel takes a label from a node; changed tells whether it had it.
func (tx *Tx) RemoveLabel(id uint64, label base.Token) (changed bool, err error) {
	old, err := tx.labelsToChange(id)
	if err != nil || !slices.Contains(old, label) {
		return false, err
	}
	labels := slices.DeleteFunc(slices.Clone(old), func(l base.Token) bool { return l == label })
	tx.Draft.SetLabels(id, old, labels)
	return true, nil
}

func (tx *Tx) labelsToChange(id uint64) ([]base.Token, error) {
	if err := tx.writable(); err != nil {
		return nil, err
	}
	return tx.labels(id)
}

// DeleteNode deletes a node. Its relationships must be deleted too, before CheckDeleted
// looks; to delete one that has been deleted already does nothing.
func (tx *Tx) DeleteNode(id uint64) error {
	if err := tx.writable(); err != nil {
		return err
	}
	if n := tx.State.Nodes.Get(id); n != nil && n.Deleted && tx.Draft.Own(n) {
		return nil
	}
	labels, err := tx.labels(id)
	if err != nil {
		return err
	}
	tx.Draft.DeleteNode(id, slices.Clone(labels))
	tx.deleted = append(tx.deleted, id)
	return nil
}

// DeleteRelationship deletes a relationship; one that has been deleted already stays so.
func (tx *Tx) DeleteRelationship(id uint64) error {
	if err := tx.writable(); err != nil {
		return err
	}
	if r := tx.State.Relationships.Get(id); r != nil && r.Deleted && tx.Draft.OwnRelationship(r) {
		return nil
	}
	from, err := tx.relationshipNow(id)
	if err != nil {
		return err
	}
	tx.Draft.DeleteRelationship(id, from)
	return nil
}

// CheckDeleted is called at the end of a statement: no node that was deleted may have
// relationships left, and constraints must be kept. Commit calls it too.
//
// Errors: *ConnectedError, *ConstraintError.
func (tx *Tx) CheckDeleted() error {
	for len(tx.deleted) > 0 {
		node := tx.deleted[len(tx.deleted)-1]
		degree, err := tx.degree(node, Both, nil)
		if err != nil {
			return err
		}
		if degree > 0 {
			return &ConnectedError{Graph: tx.Graph.Name, Node: node, Relationships: degree}
		}
		tx.deleted = tx.deleted[:len(tx.deleted)-1]
	}
	return tx.CheckConstraints()
}

// setID gives a node that the transaction has made an id of the user's. Other nodes keep theirs.
func (tx *Tx) setID(node uint64, v value.Value) error {
	refuse := func(reason string) error {
		return &IDError{Graph: tx.Graph.Name, ID: idText(v), Reason: reason}
	}
	old, err := tx.NodeProperty(node, tx.Base.IDs.Key)
	if err != nil || sameID(old, v) {
		return err
	}
	if !tx.Draft.New(node) {
		return refuse("is " + idText(old) + ", which never changes")
	}
	switch v.Kind() {
	case value.Int:
		if v.Int() < 0 {
			return refuse("would be negative")
		}
		tx.Graph.raiseNextID(v)
	case value.String:
		if _, number := formats.ParseID(v.Str()); number || v.Str() == "" {
			return refuse("would be a text that stands for a number, or for nothing")
		}
	default:
		return refuse("is neither an integer nor a text")
	}
	tx.Draft.SetNodeProperty(node, tx.Base.IDs.Key, v)
	tx.unchecked = append(tx.unchecked, node)
	return nil
}

// raiseNextID has no node get the id v by itself.
func (g *Graph) raiseNextID(v value.Value) {
	if v.Kind() != value.Int {
		return
	}
	for next := g.nextID.Load(); next <= v.Int(); next = g.nextID.Load() {
		g.nextID.CompareAndSwap(next, v.Int()+1)
	}
}

// sameID tells whether two ids are the same.
func sameID(a, b value.Value) bool {
	if a.Kind() != b.Kind() {
		return false
	}
	switch a.Kind() {
	case value.Int:
		return a.Int() == b.Int()
	case value.String:
		return a.Str() == b.Str()
	}
	return a.IsNull()
}

func idText(v value.Value) string {
	switch v.Kind() {
	case value.Int:
		return manifest.UserID{N: v.Int()}.String()
	case value.String:
		return v.Str()
	}
	return "a " + v.Kind().String()
}
