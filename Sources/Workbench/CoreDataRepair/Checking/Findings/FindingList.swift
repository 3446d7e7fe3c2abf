/// Findings as they come: all are counted, and of each kind only so many are kept as memory allows.
package struct FindingList: Sendable {
    /// How many of a kind are kept.
    package let limit: Int
    package private(set) var listed: [StoreFinding] = []
    /// How many there are, by kind.
    package private(set) var counts: [StoreFinding.Kind: Int] = [:]
    /// How many of them can be repaired.
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

    /// Counts findings of which some are kept with `keep`.
    mutating func add(_ kind: StoreFinding.Kind, count: Int, isRepairable: Bool) {
        counts[kind, default: 0] += count
        if isRepairable { repairable += count }
    }

    /// How many more of a kind are kept.
    func room(for kind: StoreFinding.Kind) -> Int { max(0, limit - kept[kind, default: 0]) }

    mutating func keep(_ finding: StoreFinding) {
        guard room(for: finding.kind) > 0 else { return }
        kept[finding.kind, default: 0] += 1
        listed.append(finding)
    }
}
