import CoreData

/// Lines about values that cannot be read: a few of each kind, and the number of the others at the end.
final class Warnings {
    private static let shown = 5
    private var counts: [String: Int] = [:]

    /// Reports a value; `place` says where it is, `reason` what is wrong with it and others like it.
    func add(_ place: String, _ reason: String) {
        counts[reason, default: 0] += 1
        guard counts[reason, default: 0] <= Self.shown else { return }
        Self.write(PrintableText.escaped("\(place): \(reason)", limit: 500))
    }

    /// Reports how many values were not reported one by one.
    func finish() {
        for (reason, count) in counts.sorted(by: { $0.key < $1.key }) where count > Self.shown {
            Self.write(PrintableText.escaped("\(count - Self.shown) more values: \(reason)", limit: 500))
        }
    }

    private static func write(_ text: String) { StandardError.write("\(Release.name): warning: \(text)") }
}
