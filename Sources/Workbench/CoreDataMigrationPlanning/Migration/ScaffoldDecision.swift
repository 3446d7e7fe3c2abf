import CoreData

/// A change that cannot be inferred, with the place in a generated policy where the developer decides about it.
package struct ScaffoldDecision {
    /// The number in the mark of the place: 1 for `DECIDE 1`.
    package let number: Int
    package let item: ModelItem
    /// The name of the policy class that contains the place.
    package let policy: String
    package let reasons: [String]
    /// A description of what the generated policy does unless the developer changes it; nil if there is none.
    package let conversion: String?
    /// The line number of the mark in the source of the policies; 0 until `placed(in:)` has found it.
    package private(set) var line = 0

    init(_ number: Int, _ item: ModelItem, policy: String, reasons: [String], conversion: String?) {
        self.number = number
        self.item = item
        self.policy = policy
        self.reasons = reasons
        self.conversion = conversion
    }

    /// The start of the comment that marks the place in the source.
    var mark: String { "DECIDE \(number): " }

    func placed(in text: String) -> ScaffoldDecision {
        var decision = self
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        decision.line = (lines.firstIndex { $0.contains("// " + mark) } ?? -1) + 1
        return decision
    }
}
