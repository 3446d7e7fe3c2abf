/// Findings in the order in which they were added: counts all of them, and lists the first `limit` of each kind.
package struct FindingList: Sendable {
    /// The greatest number of findings of one kind in `listed`.
    package let limit: Int
    package private(set) var listed: [StoreFinding] = []
    /// The number of findings by kind, including those that are not listed.
    package private(set) var counts: [StoreFinding.Kind: Int] = [:]
    /// How many of all counted findings can be repaired.
    package private(set) var repairable = 0
    private var kept: [StoreFinding.Kind: Int] = [:]

    package init(limit: Int) { self.limit = limit }

    package var count: Int { counts.values.reduce(0, +) }

    package mutating func add(_ finding: StoreFinding) {
        add(finding.kind, count: 1, isRepairable: finding.isRepairable)
        keep(finding)
    }

    package mutating func add(_ findings: [StoreFinding]) {
        for finding in findings { add(finding) }
    }

    /// Counts findings without listing them; the caller lists some of them with `keep`.
    mutating func add(_ kind: StoreFinding.Kind, count: Int, isRepairable: Bool) {
        counts[kind, default: 0] += count
        if isRepairable { repairable += count }
    }

    /// How many more findings of a kind `keep` lists before the limit is reached.
    func room(for kind: StoreFinding.Kind) -> Int { max(0, limit - kept[kind, default: 0]) }

    mutating func keep(_ finding: StoreFinding) {
        guard room(for: finding.kind) > 0 else { return }
        kept[finding.kind, default: 0] += 1
        listed.append(finding)
    }
}
