import CoreData

/// The sections of a fetched list in the order in which they are shown, and where the rows of a window are.
struct SectionWindow {
    private struct Part {
        let name: String
        let indexTitle: String?
        let count: Int
        /// The section's number in the controller.
        let number: Int
    }

    private let parts: [Part]
    private let hasSections: Bool
    let total: Int

    /// - Parameters:
    ///   - order: The names of the sections that come first, in this order; one matches a section whose name contains
    ///     it.
    ///   - title: What is shown in place of a section's name; nil for the name.
    init(
        _ controller: NSFetchedResultsController<NSManagedObject>, order: [String], hasSections: Bool,
        title: (String) -> String? = { _ in nil }
    ) {
        self.hasSections = hasSections
        let all = (controller.sections ?? []).enumerated().map { number, section in
            let shown = title(section.name)
            return Part(
                name: shown ?? section.name, indexTitle: shown.map { String($0.prefix(1)) } ?? section.indexTitle,
                count: section.numberOfObjects, number: number)
        }
        let places = all.map { part in
            order.firstIndex { part.name.range(of: $0, options: [.caseInsensitive, .diacriticInsensitive]) != nil }
                ?? order.count
        }
        parts = zip(all, places).sorted { ($0.1, $0.0.number) < ($1.1, $1.0.number) }.map(\.0)
        total = parts.reduce(0) { $0 + $1.count }
    }

    /// The number of the shown section, nil for a list without sections, and the index path in the controller of each
    /// row of a window.
    func paths(_ window: Range<Int>) -> [(section: Int?, path: IndexPath)] {
        var found: [(Int?, IndexPath)] = []
        var start = 0
        for (place, part) in parts.enumerated() {
            let first = max(window.lowerBound - start, 0)
            let end = min(window.upperBound - start, part.count)
            if first < end {
                found += (first..<end).map { (hasSections ? place : nil, IndexPath(row: $0, section: part.number)) }
            }
            start += part.count
            if start >= window.upperBound { break }
        }
        return found
    }

    /// `{"name", "indexTitle", "offset", "count"}` for each section; empty for a list without sections.
    var json: [JSONValue] {
        guard hasSections else { return [] }
        var start = 0
        return parts.map { part in
            defer { start += part.count }
            return .object([
                ("name", .string(part.name)), ("indexTitle", .text(part.indexTitle)), ("offset", .count(start)),
                ("count", .count(part.count)),
            ])
        }
    }

    /// The index beside the list: the index titles of the sections in their order, each once.
    var titles: [String] {
        guard hasSections else { return [] }
        var seen: Set<String> = []
        return parts.compactMap(\.indexTitle).filter { seen.insert($0).inserted }
    }
}
