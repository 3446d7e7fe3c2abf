import CoreData
import CoreDataModelEditing

/// A version of a model while it is edited.
package struct EditedVersion: Sendable {
    /// How many states a tab may be behind before it is told everything again.
    private static let keptStates = 32

    /// The file; nil for what is only shown.
    private(set) var file: ModelSourceFile?
    private(set) var session: ModelEditSession
    /// What is in the file, as far as is known.
    private var saved: ModelDocument
    /// Counts the states of the document.
    private(set) var revision = 1
    private var states: [Int: ModelDocument] = [:]
    /// What was found of a revision.
    private var checked: (revision: Int, findings: [ModelFinding])?
    /// Where entities stand in the diagram.
    var places: [String: GraphPlace]?

    /// What became of edits that were kept, in sentences, until they were reported.
    private(set) var news: [String] = []

    init(_ file: ModelSourceFile) throws {
        self.init(try file.document())
        self.file = file
    }

    /// Does steps again that were not saved when the program ended.
    mutating func restore(_ steps: [(name: String, edits: [ModelEdit])]) {
        let (restored, refused) = ModelEditSession.replaying(steps, on: saved)
        session = restored
        if isUnsaved { news.append("\(restored.done.count) steps that were not saved are here again") }
        news += refused.map { "'\($0.name)' could not be done again: \($0.reason)" }
    }

    /// What is to be told once.
    mutating func takeNews() -> [String] {
        defer { news = [] }
        return news
    }

    /// What is only shown.
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

    /// The document of a revision that a tab has; nil for one that is not known any more.
    func document(of revision: Int) -> ModelDocument? { revision == self.revision ? document : states[revision] }

    // MARK: The file

    /// Writes what is edited.
    ///
    /// - Throws: `ModelEditError` of code `changedMeanwhile` if another program has changed the file.
    mutating func save() throws {
        guard var file else { return }
        try file.write(document)
        self.file = file
        saved = document
    }

    /// Lets all edits go, for what is in the file.
    mutating func discard() throws {
        guard let file = try file?.reread() else { return }
        let fresh = ModelEditSession(try file.document())
        replace(fresh, file: file)
    }

    /// Applies the edits to what another program has written.
    ///
    /// - Returns: the steps that it does not take, with the reasons.
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

    /// The state of a file that was read again, which tabs can tell from this one.
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

    /// What a check has found of the present state; nil for one that was not checked yet.
    var knownFindings: [ModelFinding]? { checked?.revision == revision ? checked?.findings : nil }

    /// Keeps what was found of a state, which may have been left meanwhile.
    mutating func keep(_ findings: [ModelFinding], of revision: Int) {
        if revision == self.revision { checked = (revision, findings) }
    }

    static func check(_ document: ModelDocument) -> [ModelFinding] {
        ModelCheck.findings(in: document, options: ModelCheckOptions(disabled: ModelCheckOptions.quietRules))
    }
}
