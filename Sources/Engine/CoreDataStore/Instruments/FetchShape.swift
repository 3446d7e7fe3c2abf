/// The parameters of a fetch except its predicate, written to trace files as `key=value` pairs separated by semicolons.
package struct FetchShape: Equatable, Sendable {
    /// The keys of the sort descriptors; a key sorted in descending order ends with `-`.
    package var sort: [String] = []
    package var prefetched: [String] = []
    package var limit = 0
    package var batchSize = 0
    /// `objects`, `identifiers`, `dictionaries` or `count`.
    package var result = "objects"

    package init() {}

    package var text: String {
        var parts = ["result=" + result]
        if !sort.isEmpty { parts.append("sort=" + sort.joined(separator: ",")) }
        if !prefetched.isEmpty { parts.append("prefetch=" + prefetched.joined(separator: ",")) }
        if limit > 0 { parts.append("limit=\(limit)") }
        if batchSize > 0 { parts.append("batch=\(batchSize)") }
        return parts.joined(separator: ";")
    }

    /// Parses a text of this form; skips unknown keys.
    package init(_ text: String) {
        for part in text.split(separator: ";") {
            let sides = part.split(separator: "=", maxSplits: 1).map(String.init)
            guard sides.count == 2 else { continue }
            let list = sides[1].split(separator: ",").map(String.init)
            switch sides[0] {
            case "sort": sort = list
            case "prefetch": prefetched = list
            case "limit": limit = Int(sides[1]) ?? 0
            case "batch": batchSize = Int(sides[1]) ?? 0
            case "result": result = sides[1]
            default: break
            }
        }
    }
}
