/// Where the elements lie that a reader hands out: the names from the root element down to theirs.
package struct XMLItemPath: Sendable, Equatable {
    /// A name of an element on the way.
    package enum Step: Sendable, Equatable {
        /// Any element.
        case any
        /// An element by its qualified name.
        case name(String)
    }

    package let steps: [Step]

    package init(_ steps: [Step]) { self.steps = steps }

    /// Whether an element with this name may stand at a depth, which is 0 for the root.
    func allows(_ name: String, at depth: Int) -> Bool {
        guard depth < steps.count else { return false }
        return switch steps[depth] {
        case .any: true
        case .name(let expected): expected == name
        }
    }
}
