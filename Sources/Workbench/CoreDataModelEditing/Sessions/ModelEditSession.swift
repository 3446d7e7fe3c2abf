import CoreDataModeling

/// The editing of a model source in steps, which can be undone and redone.
///
/// Invariant: `document` is the original source, or the result of a step, which can be read as a model.
package struct ModelEditSession: Sendable {
    /// The greatest number of steps that can be undone; the oldest are dropped.
    package static let greatestStepCount = 200

    /// Edits that are performed and undone together.
    package struct Step: Sendable {
        package let name: String
        package let edits: [ModelEdit]
        /// The source before the step while the step is done; the source after the step while it is undone.
        fileprivate var document: ModelDocument
    }

    package private(set) var document: ModelDocument
    /// The performed steps that are not undone, the oldest first.
    package private(set) var done: [Step] = []
    private var undone: [Step] = []
    /// The result of the last successful check, with which the next check compares; nil before the first step.
    private var accepted: AcceptedSource?

    package init(_ document: ModelDocument) { self.document = document }

    /// The name of the step that undo would revert; nil without one.
    package var undoName: String? { done.last?.name }

    /// The name of the step that redo would repeat; nil without one.
    package var redoName: String? { undone.last?.name }

    /// Applies edits as one step, named after the first of them if `name` is nil.
    ///
    /// Edits that do not change the document are not recorded as a step. A new step removes the undone ones.
    /// - Returns: sentences about changes elsewhere in the source, and about texts that could not be updated.
    /// - Throws: `ModelEditError`, or `ModelingError` for text that XML cannot express; the session is then unchanged.
    @discardableResult
    package mutating func perform(_ edits: [ModelEdit], name: String? = nil) throws -> [String] {
        var editor = ModelEditor(document)
        for edit in edits { try editor.apply(edit) }
        guard editor.document != document else { return editor.notes }
        try check(editor.document)
        done.append(Step(name: name ?? edits.first?.description ?? "", edits: edits, document: document))
        if done.count > Self.greatestStepCount { done.removeFirst() }
        undone = []
        document = editor.document
        return editor.notes
    }

    /// Sentences about the errors that the model check finds in a source and does not find in the source before, such
    /// as a key that no longer exists.
    package static func newFindings(in document: ModelDocument, since before: ModelDocument) -> [String] {
        func errors(_ document: ModelDocument) -> [String] {
            ModelCheck.findings(in: document).filter { $0.rule.severity == .error }.map {
                "\($0.sentence) [\($0.rule.identifier)]"
            }
        }
        guard before != document else { return [] }
        let known = Set(errors(before))
        return errors(document).filter { !known.contains($0) }
    }

    /// Reverts the last performed step; returns false if there is none.
    @discardableResult
    package mutating func undo() -> Bool { Self.exchange(&done, to: &undone, document: &document) }

    /// Repeats the step that was undone last; returns false if there is none.
    @discardableResult
    package mutating func redo() -> Bool { Self.exchange(&undone, to: &done, document: &document) }

    /// Applies the performed steps to another state of the source, such as the one that another program has written.
    ///
    /// - Returns: a new session of that state, and the steps that cannot be applied to it, with the reasons.
    package func rebased(
        onto other: ModelDocument
    ) -> (session: ModelEditSession, refused: [(name: String, reason: String)]) {
        Self.replaying(done.map { ($0.name, $0.edits) }, on: other)
    }

    /// Performs recorded steps on a source.
    ///
    /// - Returns: a new session of the source, and the steps that cannot be applied to it, with the reasons.
    package static func replaying(
        _ steps: [(name: String, edits: [ModelEdit])], on document: ModelDocument
    ) -> (session: ModelEditSession, refused: [(name: String, reason: String)]) {
        var session = ModelEditSession(document)
        var refused: [(String, String)] = []
        for step in steps {
            do { try session.perform(step.edits, name: step.name) } catch { refused.append((step.name, "\(error)")) }
        }
        return (session, refused)
    }

    private static func exchange(_ from: inout [Step], to: inout [Step], document: inout ModelDocument) -> Bool {
        guard var step = from.popLast() else { return false }
        swap(&step.document, &document)
        to.append(step)
        return true
    }

    /// Checks that the result of a step can be read as a model; compares it with the last accepted one to read only
    /// what differs.
    ///
    /// - Throws: `ModelEditError` of code `unreadableModel`.
    private mutating func check(_ result: ModelDocument) throws {
        do {
            guard accepted != nil else {
                accepted = try AcceptedSource(result)
                return
            }
            try accepted?.advance(to: result)
        } catch let error as ModelingError {
            let wasReadable = (try? document.makeModel()) != nil
            let before = wasReadable ? "the model could not be read any more" : "the model cannot be read, also before"
            throw ModelEditError(
                .unreadableModel, subject: "the edit", cause: "\(before): \(error.cause)", hint: error.hint)
        }
    }
}
