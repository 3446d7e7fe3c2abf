import CoreData
import CoreDataModelEditing

/// The options that can be set for one item, or for several items at once.
struct ItemOptionReport {
    private let document: ModelDocument
    private let items: [SourceItem]

    init(_ items: [SourceItem], in document: ModelDocument) {
        self.items = items
        self.document = document
    }

    /// `{"items", "kinds", "options", "parts"}` with the options that all items have. An option is `{"name",
    /// "attribute", "form", "words", "takes", "summary", "value", "stated", "mixed"}`; it is mixed if the items have
    /// different values.
    ///
    /// - Throws: `ModelEditError` of code `unknownItem`.
    func json() throws -> JSONValue {
        let kinds = try items.map { try document.kind(of: $0) }
        let lists = try items.map { try document.options(of: $0) }
        let first = lists.first ?? []
        let shared = first.filter { entry in
            lists.allSatisfy { list in list.contains { $0.option.name == entry.option.name } }
        }
        let parts = kinds.count == 1 ? kinds[0].parts : []
        return .object([
            ("items", .array(items.map { .string("\($0)") })),
            ("kinds", .array(Array(Set(kinds.map(\.rawValue))).sorted().map { .string($0) })),
            (
                "options",
                .array(
                    shared.map { entry in
                        let all = lists.map { list in list.first { $0.option.name == entry.option.name } }
                        let isMixed = all.contains { $0?.value != entry.value }
                        return json(
                            entry.option, value: isMixed ? nil : entry.value, isStated: entry.isStated, isMixed: isMixed
                        )
                    })
            ), ("parts", .array(parts.map { .string($0.rawValue) })),
        ])
    }

    private func json(_ option: ItemOption, value: String?, isStated: Bool, isMixed: Bool) -> JSONValue {
        .object([
            ("name", .string(option.name)), ("attribute", .string(option.attribute)),
            ("form", .string(option.form.word)), ("words", .array(option.words.map { .string($0) })),
            ("takes", .string(option.valueText)), ("summary", .string(option.summary)), ("value", .text(value)),
            ("stated", .bool(isStated)), ("mixed", .bool(isMixed)),
        ])
    }
}

extension ItemOption.Form {
    /// The form in a word.
    fileprivate var word: String {
        switch self {
        case .text: "text"
        case .flag: "flag"
        case .statedFlag: "statedFlag"
        case .count: "count"
        case .choice: "choice"
        case .entity: "entity"
        case .predicate: "predicate"
        case .type: "type"
        case .value: "value"
        case .name: "name"
        case .names: "names"
        }
    }
}
