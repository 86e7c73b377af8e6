package plugins

// ExtensionProperties has programs read vertex properties. The host asks by Task.Program.Properties, and gives their
// values: each of them that an expression reads is a column of Layout, behind id and degrees and before the state, as
// algorithms.VertexColumns lists them. Floats are float64, whole numbers int64. They never change, and belong to the
// inputs wherever these are spoken of: in each lane, share, part and interval. A device says beforehand that it has it.
const ExtensionProperties Extension = "properties"
