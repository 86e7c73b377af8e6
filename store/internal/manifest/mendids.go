package manifest

import "slices"

// mendIDs gives a result that has the name of the users' ids another one.
func (m *Manifest) mendIDs() {
	at := slices.IndexFunc(m.NodeProperties, func(p Property) bool { return p.Name == IdProperty && p.Provenance != nil })
	if m.Anonymous || at < 0 {
		return
	}
	m.Shadowed = IdProperty + "_written"
	for _, taken := m.NodeProperty(m.Shadowed); taken; _, taken = m.NodeProperty(m.Shadowed) {
		m.Shadowed += "_"
	}
	m.NodeProperties[at].Name = m.Shadowed
}

// idProperty is the property by which nodes have the ids that they were loaded with. Where a
// property was loaded that has this name, they have them under one that none can have.
const (
	IdProperty       = "id"
	HiddenIDProperty = ":id"
)
