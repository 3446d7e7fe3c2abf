import CoreData

/// Something that no rule can infer, with its place in the policy.
package struct ScaffoldDecision {
    /// The number at its mark: `DECIDE 1`.
    package let number: Int
    package let item: ModelItem
    /// The class that has the place.
    package let policy: String
    package let reasons: [String]
    /// What the policy does unless it is changed; nil where it leaves the value out.
    package let conversion: String?
    /// The line of the mark in the source.
    package private(set) var line = 0

    init(_ number: Int, _ item: ModelItem, policy: String, reasons: [String], conversion: String?) {
        self.number = number
        self.item = item
        self.policy = policy
        self.reasons = reasons
        self.conversion = conversion
    }

    /// The mark at which a line of the source begins.
    var mark: String { "DECIDE \(number): " }

    func placed(in text: String) -> ScaffoldDecision {
        var decision = self
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        decision.line = (lines.firstIndex { $0.contains("// " + mark) } ?? -1) + 1
        return decision
    }
}
