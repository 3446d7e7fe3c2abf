/// How a long command reports its progress.
public enum ProgressForm: String, Sendable, CaseIterable {
    /// A line that is drawn again in its place, where the output is a terminal; elsewhere nothing.
    case line
    /// A JSON object a line, each second and at the end, wherever the output goes.
    case json
    /// Nothing.
    case none
}
