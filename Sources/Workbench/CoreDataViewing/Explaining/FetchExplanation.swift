import CoreData

/// How a SQLite store executes a fetch, and the index that would make it faster.
package struct FetchExplanation {
    package let entity: String
    package let explanation: QueryExplanation
    /// The indexes that were tried.
    package let tried: [IndexCandidate]
    /// The index that helps most; nil if none helps.
    package let suggestion: IndexTrialResult?
    /// Sentences about comparisons in the predicate that are never true, since the value is of another type than the
    /// attribute.
    package let notes: [String]

    /// Why no index is suggested; nil when one is.
    package var reason: String? {
        guard suggestion == nil else { return nil }
        guard !tried.isEmpty else {
            return "no index would help: the fetch has no conditions and no order that an index can serve"
        }
        let number = tried.count == 1 ? "the index that was" : "none of the \(tried.count) indexes that were"
        return tried.count == 1
            ? "no index would help: \(number) tried makes it read or sort no less"
            : "no index would help: \(number) tried makes it read or sort less"
    }
}

extension IndexCandidate {
    /// The lines that declare the index in the entity's element in the `contents` of the model's source.
    package var modelLines: [String] {
        let elements = elements.map { element in
            "    <fetchIndexElement property=\"\(Self.markup(element.property))\" type=\"Binary\" "
                + "order=\"\(element.isAscending ? "ascending" : "descending")\"/>"
        }
        return ["<fetchIndex name=\"\(Self.markup(name))\">"] + elements + ["</fetchIndex>"]
    }

    private static func markup(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            default: result.append(character)
            }
        }
    }
}

extension OpenStore {
    /// The size in bytes up to which a file is copied into memory to try indexes on its rows.
    package static var greatestTrial: Int { 256 << 20 }

    /// How a fetch is executed, and which index would help; nothing is written to the store.
    ///
    /// A file of up to `greatestCopy` bytes is copied into memory to try indexes; for a larger file only the query
    /// plans are compared.
    /// - Throws: `InspectionError` if the store is of another type than SQLite, or cannot be read.
    package func explain(_ query: ObjectQuery, greatestCopy: Int = greatestTrial) throws -> FetchExplanation {
        let name = query.entity.name ?? ""
        guard let store = store as? SQLiteStore else {
            throw InspectionError(
                .unreadable, subject: facts.url.place, cause: "only a store in SQLite has plans that can be explained")
        }
        let tried = IndexCandidateSearch.all(for: query)
        do {
            let (explanation, helpful) = try store.withBackend { file in
                try file.explain(storeQuery(query), candidates: tried, greatestCopy: greatestCopy)
            }
            return FetchExplanation(
                entity: name, explanation: explanation, tried: tried, suggestion: helpful.first,
                notes: query.notes)
        } catch {
            throw InspectionError.unreadable(facts.url, error)
        }
    }
}
