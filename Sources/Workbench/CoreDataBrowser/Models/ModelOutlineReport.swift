import CoreData
import CoreDataModelEditing

extension EditedModel {
    /// The contents of a version: everything, or the difference from the revision that a tab has.
    ///
    /// `{"id", "name", "path", "editable", "reason", "version", "versions", "revision", "undo", "redo", "unsaved",
    /// "changedOutside", "follows", "values", "words", "whole", "items", "removed", "notes"}`; an item is `{"item",
    /// "kind", "name", "values", "parts"}`.
    func report(_ version: String?, since revision: Int? = nil, notes: [String] = []) throws -> JSONValue {
        try with(version) { state, name in try report(state, version: name, revision: revision, notes: notes) }
    }

    /// The report of a version, for a caller that already has its state.
    func report(
        _ state: EditedVersion, version: String, revision: Int?, notes: [String]
    ) throws -> JSONValue {
        let current = try? currentName()
        let former = revision.flatMap { state.document(of: $0) }
        let (items, removed) = former.map { state.document.outline(since: $0) } ?? (state.document.outline, [])
        let values = try state.document.options(of: .model).filter(\.isStated).map { option, value, _ in
            (option.name, JSONValue.text(value))
        }
        return .object([
            ("id", .string(id)), ("name", .string(name)), ("path", .text(url?.path)),
            ("editable", .bool(reasonAgainstEditing == nil)), ("reason", .text(reasonAgainstEditing)),
            ("version", .string(version)),
            (
                "versions",
                .array(
                    versionNames.map { .object([("name", .string($0)), ("current", .bool($0 == current))]) })
            ),
            ("packaged", .bool(isPackaged)),
            ("revision", .count(state.revision)), ("undo", .text(state.session.undoName)),
            ("redo", .text(state.session.redoName)), ("unsaved", .bool(state.isUnsaved)),
            ("changedOutside", .bool(state.isChangedOutside)), ("follows", following.json),
            ("values", .object(values)), ("words", Self.words),
            ("whole", .bool(former == nil)), ("items", .array(items.map(\.json))),
            ("removed", .array(removed.map { .string("\($0)") })), ("notes", .array(notes.map { .string($0) })),
        ])
    }

    /// The allowed words of the property options that tables show, by the names of the options.
    private static let words: JSONValue = .object(
        (SourceItemKind.attribute.options + SourceItemKind.relationship.options).filter {
            ["type", "delete-rule"].contains($0.name)
        }.map { ($0.name, .array($0.words.map { .string($0) })) })

    /// Whether versions can be added and removed.
    var isPackaged: Bool {
        if case .package = form { true } else { false }
    }
}

extension ItemOutline {
    var json: JSONValue {
        .object([
            ("item", .string("\(item)")), ("kind", .string(kind.rawValue)), ("name", .string(item.name)),
            ("values", .object(values.map { ($0.name, .string($0.value)) })), ("parts", .array(parts.map(\.json))),
        ])
    }
}
