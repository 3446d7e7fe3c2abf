import CRawBaseline
import CoreData

/// One format string used many times with other arguments, beside as many texts that are new each time.
enum PredicateParsing {
    private static let format = "age >= %d AND name BEGINSWITH[c] %@ AND (height < 1.5 OR rank IN {1, 2, 3})"

    static let all = [
        Benchmark("K", "# predicates of one format, beside as many formats", size: 20_000, bar: 0.5) {
            count, _ in
            Sides(
                ours: { try timed(Array(repeating: format, count: count)) }, raw: { try timed(newFormats(count)) })
        }
    ]

    /// Texts that were never used before.
    private static func newFormats(_ count: Int) -> [String] {
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
        return Sample(seconds: seconds)
    }
}
