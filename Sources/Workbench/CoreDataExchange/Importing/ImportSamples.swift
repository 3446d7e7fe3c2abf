import CoreData

/// The first objects of each entity that an import inserts and updates, for people to look at.
struct ImportSamples {
    private static let longestText = 80
    private static let mostValues = 12

    let limit: Int
    private(set) var list: [ImportReport.Sample] = []
    private var counts: [String: Int] = [:]

    init(limit: Int) { self.limit = limit }

    /// Notes an object that a record became.
    ///
    /// - Parameter updated: The object, if it was there before.
    mutating func add(_ record: ImportRecord, entity: String, updated: NSManagedObjectID? = nil) {
        guard limit > 0 else { return }
        let key = (updated == nil ? "+" : "~") + entity
        guard counts[key, default: 0] < limit else { return }
        counts[key, default: 0] += 1
        let values = record.members.prefix(Self.mostValues).map { ($0.key, Self.text($0.value)) }
        list.append(
            .init(entity: entity, object: updated?.shortText, line: max(0, record.line), values: values))
    }

    private static func text(_ value: EditValue) -> String {
        let whole =
            switch value {
            case .null: "null"
            case .json(.string(let text)), .text(let text), .field(let text): text
            case .json(let json): JSONWriter.line(json)
            case .elements: "{…}"
            }
        return PrintableText.escaped(whole, limit: longestText)
    }
}
