import CRawBaseline
import CoreData

/// Workload K: one format string used many times with other arguments, beside as many texts that are new each time.
struct PredicateParsing {
    private static let count = 20_000
    private static let format = "age >= %d AND name BEGINSWITH[c] %@ AND (height < 1.5 OR rank IN {1, 2, 3})"

    var workload: Workload {
        Workload(
            name: "K  \(Self.count) predicates of one format, beside as many formats", bar: 0.5,
            ours: { try Self.timed(Array(repeating: Self.format, count: Self.count)) },
            raw: { try Self.timed(Self.newFormats()) })
    }

    /// What one predicate takes, parsed and from a format that was used before.
    static func lines(of measurement: Measurement) -> [String] {
        [("parse", measurement.raw), ("parse, cached", measurement.ours)].map { name, sample in
            String(format: "%@  %.2f µs", name, sample.seconds / Double(count) * 1e6)
        }
    }

    /// Texts that were never used before.
    private static func newFormats() -> [String] {
        let mark = UUID().uuidString
        return (0..<count).map { format + " AND name != '\(mark)\($0)'" }
    }

    private static func timed(_ formats: [String]) throws -> Sample {
        var last: NSPredicate?
        let start = raw_now()
        for (number, format) in formats.enumerated() { last = NSPredicate(format: format, number, "A") }
        let seconds = raw_now() - start
        guard let text = last?.formatString, text.hasPrefix("age >= \(formats.count - 1) AND") else {
            throw Failure("the last predicate is another one")
        }
        return Sample(seconds: seconds, bytesPerObject: 0)
    }
}
