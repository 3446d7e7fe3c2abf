import CoreDataModeling

/// A source while it is edited: its steps can be undone and done again, and each leaves a model that can be read.
///
/// Invariant: `document` is the source as it was before the first step, or the result of a step that was checked.
package struct ModelEditSession: Sendable {
    /// How many steps can be undone.
    package static let greatestStepCount = 200

    /// Edits that are done and undone together.
    private struct Step: Sendable {
        let name: String
        /// The source on the other side of the step.
        var document: ModelDocument
    }

    package private(set) var document: ModelDocument
    private var done: [Step] = []
    private var undone: [Step] = []

    package init(_ document: ModelDocument) { self.document = document }

    /// What undoing would take back; nil where there is nothing.
    package var undoName: String? { done.last?.name }

    /// What would be done again; nil where there is nothing.
    package var redoName: String? { undone.last?.name }

    /// Applies edits as one step, named after the first of them where it has no name of its own.
    ///
    /// Edits that change nothing are no step.
    /// - Returns: what else was changed or could not be, and what a check of the model newly finds, in sentences.
    /// - Throws: `ModelEditError`, or `ModelingError` for what XML cannot express; nothing is then changed.
    @discardableResult
    package mutating func perform(_ edits: [ModelEdit], name: String? = nil) throws -> [String] {
        var editor = ModelEditor(document)
        for edit in edits { try editor.apply(edit) }
        guard editor.document.data != document.data else { return editor.notes }
        try check(editor.document)
        done.append(Step(name: name ?? edits.first?.description ?? "", document: document))
        if done.count > Self.greatestStepCount { done.removeFirst() }
        undone = []
        let findings = Self.findings(in: editor.document, notIn: document)
        document = editor.document
        return editor.notes + findings
    }

    /// The errors that a check of the model finds now and did not find before, such as a key that is not there any more.
    private static func findings(in document: ModelDocument, notIn before: ModelDocument) -> [String] {
        func errors(_ document: ModelDocument) -> [String] {
            ModelCheck.findings(in: document).filter { $0.rule.severity == .error }.map {
                "\($0.sentence) [\($0.rule.identifier)]"
            }
        }
        let known = Set(errors(before))
        return errors(document).filter { !known.contains($0) }
    }

    /// Takes the last step back; false where there is none.
    @discardableResult
    package mutating func undo() -> Bool { Self.exchange(&done, &undone, &document) }

    /// Does the last step again that was taken back; false where there is none.
    @discardableResult
    package mutating func redo() -> Bool { Self.exchange(&undone, &done, &document) }

    private static func exchange(_ from: inout [Step], _ to: inout [Step], _ document: inout ModelDocument) -> Bool {
        guard var step = from.popLast() else { return false }
        swap(&step.document, &document)
        to.append(step)
        return true
    }

    /// Reads the result as any reader would: the bytes that would be written, not the tree that they come from.
    private func check(_ result: ModelDocument) throws {
        do {
            _ = try ModelDocument(result.data).makeModel()
        } catch let error as ModelingError {
            let wasReadable = (try? document.makeModel()) != nil
            let before = wasReadable ? "the model could not be read any more" : "the model cannot be read, also before"
            throw ModelEditError(.unreadableModel, "the edit", "\(before): \(error.cause)", hint: error.hint)
        }
    }
}
