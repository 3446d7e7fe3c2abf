import CoreDataModeling

/// A source while it is edited: its steps can be undone and done again, and each leaves a model that can be read.
///
/// Invariant: `document` is the source as it was before the first step, or the result of a step that was checked.
package struct ModelEditSession: Sendable {
    /// How many steps can be undone.
    package static let greatestStepCount = 200

    /// Edits that are done and undone together.
    package struct Step: Sendable {
        package let name: String
        package let edits: [ModelEdit]
        /// The source on the other side of the step.
        fileprivate var document: ModelDocument
    }

    package private(set) var document: ModelDocument
    /// The steps that are done, the oldest first.
    package private(set) var done: [Step] = []
    private var undone: [Step] = []
    /// The last state that was found to be a model; nil before the first step.
    private var accepted: AcceptedSource?

    package init(_ document: ModelDocument) { self.document = document }

    /// The name of the step that undo would revert; nil without one.
    package var undoName: String? { done.last?.name }

    /// The name of the step that redo would repeat; nil without one.
    package var redoName: String? { undone.last?.name }

    /// Applies edits as one step, named after the first of them if `name` is nil.
    ///
    /// Edits that change nothing are not a step.
    /// - Returns: further changes, and changes that were not possible, in sentences.
    /// - Throws: `ModelEditError`, or `ModelingError` for what XML cannot express; nothing is then changed.
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

    /// The errors that a check finds in a source and did not find before, such as a key that no longer exists, in
    /// sentences.
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

    /// Reverts the last step; false without one.
    @discardableResult
    package mutating func undo() -> Bool { Self.exchange(&done, to: &undone, document: &document) }

    /// Repeats the step that was reverted last; false without one.
    @discardableResult
    package mutating func redo() -> Bool { Self.exchange(&undone, to: &done, document: &document) }

    /// Applies the performed steps to another state of the source, such as the one that another program has written.
    ///
    /// - Returns: the session of that state, and the steps that it rejects, with the reasons.
    package func rebased(
        onto other: ModelDocument
    ) -> (session: ModelEditSession, refused: [(name: String, reason: String)]) {
        Self.replaying(done.map { ($0.name, $0.edits) }, on: other)
    }

    /// Steps that were kept, done again on a source.
    ///
    /// - Returns: the session, and the steps that the source does not take, with the reasons.
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

    /// Reads the result as a model, by what differs from the last one that was read.
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
