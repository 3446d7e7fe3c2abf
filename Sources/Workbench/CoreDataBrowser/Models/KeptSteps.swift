import CoreData
import CoreDataModelEditing

/// The unsaved steps of a version, stored in the state folder so that they survive the end of the program.
struct KeptSteps {
    private let kept: ViewState

    /// - Throws: `BrowserFailure` where the folder cannot be made.
    init(of model: URL, _ version: String, in folder: StateFolder) throws {
        kept = try ViewState("steps", ofStore: EditedModel.identifier(of: model, version), in: folder)
    }

    /// The stored steps; empty if there are none.
    ///
    /// - Throws: `BrowserFailure`, `InspectionError` or `ModelEditError` for what is not a step.
    func read() throws -> [(name: String, edits: [ModelEdit])] {
        guard case .array(let steps) = try kept.read() else { return [] }
        return try steps.map { step in
            let parts = JSONParts(step)
            return (try parts.text("name"), try parts.texts("edits").map { try ModelEdit($0) })
        }
    }

    /// Stores steps in place of the former ones.
    ///
    /// - Throws: `BrowserFailure` where they cannot be written.
    func write(_ steps: [(name: String, edits: [ModelEdit])]) throws {
        let list = steps.map { step in
            JSONValue.object([
                ("name", .string(step.name)), ("edits", .array(step.edits.map { .string($0.description) })),
            ])
        }
        try kept.write(list.isEmpty ? .null : .array(list))
    }
}
