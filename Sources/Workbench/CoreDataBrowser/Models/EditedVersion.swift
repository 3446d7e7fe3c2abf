import CoreData
import CoreDataModelEditing

/// A version of a model with its edits.
package struct EditedVersion: Sendable {
    /// The number of former states that are retained. A tab whose state is older gets the complete outline.
    private static let keptStates = 32

    /// The file; nil for a read-only version.
    private(set) var file: ModelSourceFile?
    private(set) var session: ModelEditSession
    /// The contents of the file when it was last read or written.
    private var saved: ModelDocument
    /// Counts the states of the document.
    private(set) var revision = 1
    private var states: [Int: ModelDocument] = [:]
    /// The findings of the last check, and the revision that was checked.
    private var checked: (revision: Int, findings: [ModelFinding])?
    /// The positions of the entities in the diagram.
    var places: [String: GraphPlace]?

    /// Sentences about edits that were restored or could not be, until they are reported.
    private(set) var news: [String] = []

    init(_ file: ModelSourceFile) throws {
        self.init(try file.document())
        self.file = file
    }

    /// Applies the steps again that were not saved when the program ended.
    mutating func restore(_ steps: [(name: String, edits: [ModelEdit])]) {
        let (restored, refused) = ModelEditSession.replaying(steps, on: saved)
        session = restored
        if isUnsaved { news.append("\(restored.done.count) steps that were not saved are here again") }
        news += refused.map { "'\($0.name)' could not be done again: \($0.reason)" }
    }

    /// Returns the messages in `news` and removes them, so that each is reported once.
    mutating func takeNews() -> [String] {
        defer { news = [] }
        return news
    }

    /// A read-only version.
    init(_ document: ModelDocument) {
        session = ModelEditSession(document)
        saved = document
    }

    package var document: ModelDocument { session.document }

    /// Whether there are edits that are not in the file.
    package var isUnsaved: Bool { session.document != saved }

    /// Whether another program has changed the file.
    package var isChangedOutside: Bool { file?.isChangedOutside ?? false }

    // MARK: Steps

    mutating func perform(_ edits: [ModelEdit], name: String?) throws -> [String] {
        let before = document
        let notes = try session.perform(edits, name: name)
        count(since: before)
        return notes
    }

    mutating func undo() {
        let before = document
        if session.undo() { count(since: before) }
    }

    mutating func redo() {
        let before = document
        if session.redo() { count(since: before) }
    }

    private mutating func count(since before: ModelDocument) {
        guard document != before else { return }
        states[revision] = before
        states[revision - Self.keptStates] = nil
        revision += 1
    }

    /// The document of a revision that a tab has; nil if the revision is no longer retained.
    func document(of revision: Int) -> ModelDocument? { revision == self.revision ? document : states[revision] }

    // MARK: The file

    /// Writes the edited document to the file.
    ///
    /// - Throws: `ModelEditError` of code `changedMeanwhile` if another program has changed the file.
    mutating func save() throws {
        guard var file else { return }
        try file.write(document)
        self.file = file
        saved = document
    }

    /// Discards all edits and reads the file again.
    mutating func discard() throws {
        guard let file = try file?.reread() else { return }
        let fresh = ModelEditSession(try file.document())
        replace(fresh, file: file)
    }

    /// Applies the edits to what another program has written into the file.
    ///
    /// - Returns: The steps that cannot be applied to it, with the reasons.
    mutating func merge() throws -> [(name: String, reason: String)] {
        guard let file = try file?.reread() else { return [] }
        let (merged, refused) = session.rebased(onto: try file.document())
        replace(merged, file: file, saved: try file.document())
        return refused
    }

    private mutating func replace(_ session: ModelEditSession, file: ModelSourceFile, saved: ModelDocument? = nil) {
        let before = document
        self.session = session
        self.file = file
        self.saved = saved ?? session.document
        count(since: before)
    }

    /// The state after the file was read again: `fresh` with the next revision, and with the former states that tabs
    /// may have.
    func following(_ fresh: EditedVersion) -> EditedVersion {
        var fresh = fresh
        fresh.revision = revision
        fresh.states = states
        fresh.places = places
        fresh.states[revision] = document
        fresh.revision += 1
        return fresh
    }

    // MARK: Findings

    /// The findings for the present revision; nil if it has not been checked.
    var knownFindings: [ModelFinding]? { checked?.revision == revision ? checked?.findings : nil }

    /// Stores the findings of a revision, unless the document has changed since.
    mutating func keep(_ findings: [ModelFinding], of revision: Int) {
        if revision == self.revision { checked = (revision, findings) }
    }

    static func check(_ document: ModelDocument) -> [ModelFinding] {
        ModelCheck.findings(in: document, options: ModelCheckOptions(disabled: ModelCheckOptions.quietRules))
    }
}
