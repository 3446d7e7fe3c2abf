import CoreData

/// Prints warnings about values that cannot be read: the first few for each reason, and the number of the others at the
/// end.
package final class Warnings {
    private static let shown = 5
    private var counts: [String: Int] = [:]

    package init() {}

    /// Reports a value; `place` says where it is, `reason` why it cannot be read.
    package func add(_ place: String, _ reason: String) {
        counts[reason, default: 0] += 1
        guard counts[reason, default: 0] <= Self.shown else { return }
        Self.write(PrintableText.escaped("\(place): \(reason)", limit: 500))
    }

    /// Reports for each reason how many values were not reported individually.
    package func finish() {
        for (reason, count) in counts.sorted(by: { $0.key < $1.key }) where count > Self.shown {
            Self.write(PrintableText.escaped("\(count - Self.shown) more values: \(reason)", limit: 500))
        }
    }

    private static func write(_ text: String) { StandardError.write("\(Release.name): warning: \(text)") }
}
