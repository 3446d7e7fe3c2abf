import CoreData

/// An action that a line of a journal records.
enum EditJournalEntry {
    /// Staged steps, and the number of the first name that staging them assigns to a new object.
    case steps(JSONValue, firstName: Int)
    case revert(Int64, firstName: Int)
    case undo
    case redo

    var line: String {
        switch self {
        case .steps(let body, let number):
            JSONWriter.line(.object([("steps", body), ("first", .integer(Int64(number)))]))
        case .revert(let transaction, let number):
            JSONWriter.line(.object([("revert", .integer(transaction)), ("first", .integer(Int64(number)))]))
        case .undo: #"{"undo":true}"#
        case .redo: #"{"redo":true}"#
        }
    }

    init(line: String) throws {
        let values = try JSONReader.values(in: Array(line.utf8), of: "the journal")
        let parts = JSONParts(values.first ?? .null)
        if parts["undo"] != nil {
            self = .undo
        } else if parts["redo"] != nil {
            self = .redo
        } else if let number = try parts.number("revert") {
            guard number >= 1 else { throw JSONParts.missing("revert") }
            self = .revert(Int64(number), firstName: try parts.number("first") ?? 1)
        } else {
            self = .steps(try parts.value("steps"), firstName: try parts.number("first") ?? 1)
        }
    }
}

extension EditSession {
    /// Runs `body`, which stages changes, and appends a line for them to the journal; if that fails, nothing stays
    /// staged.
    func keeping<Result>(_ entry: EditJournalEntry, _ body: () throws -> Result) throws -> Result {
        try whole {
            let result = try body()
            try journal?.append(entry.line)
            return result
        }
    }

    /// Undoes or redoes a step and appends that to the journal; if appending fails, reverses the undo or redo.
    func turn(redo: Bool) throws {
        try turnBack(redo: redo)
        do {
            try journal?.append((redo ? EditJournalEntry.redo : .undo).line)
        } catch {
            try? turnBack(redo: !redo)
            throw error
        }
    }

    /// Stages the edits of the journal again; adds those that fail to `losses` with the reason, and continues.
    func replay(_ access: BrowserAccess) throws {
        guard let journal else { return }
        replay(try journal.lines(), access)
    }

    /// Stages the steps that were staged in another file of the same store identifier, or deletes them.
    ///
    /// - Throws: `BrowserFailure` 404 if there are no such steps, 409 if the tab has staged changes of its own.
    func settleSetAside(taking: Bool, _ access: BrowserAccess) throws {
        guard let journal, let steps = try journal.setAside() else {
            throw BrowserFailure(404, code: "nothingThere", reason: "no steps of another file wait for a decision")
        }
        guard taking else { return try steps.remove() }
        guard !context.hasChanges, try journal.lines().isEmpty else {
            throw BrowserFailure(
                409, code: "staged", reason: "the tab has changes of its own that are not saved",
                hint: "save or discard them first")
        }
        forgetSteps()
        for line in steps.lines { try journal.append(line) }
        replay(steps.lines, access)
        try steps.remove()
    }

    private func replay(_ lines: [String], _ access: BrowserAccess) {
        // For each step that could be undone, or redone: whether it was staged again.
        var undoable: [Bool] = []
        var redoable: [Bool] = []
        for (number, line) in lines.enumerated() {
            do {
                switch try EditJournalEntry(line: line) {
                case .undo:
                    let isThere = undoable.popLast() ?? false
                    if isThere { try turnBack(redo: false) }
                    redoable.append(isThere)
                case .redo:
                    let isThere = redoable.popLast() ?? false
                    if isThere { try turnBack(redo: true) }
                    undoable.append(isThere)
                case .steps(let body, let first):
                    try stageAgain(firstName: first, &undoable, &redoable) {
                        _ = try stage(EditCall(body, limit: .max), access)
                    }
                case .revert(let transaction, let first):
                    try stageAgain(firstName: first, &undoable, &redoable) { _ = try revert(transaction, access) }
                }
            } catch {
                losses.append(loss(number, line: line, error: error))
            }
        }
    }

    /// Runs `body`, which stages the changes of a line again, and adds the step to `undoable`; if that fails, as one
    /// that was not staged again.
    ///
    /// Changes end what could be redone. A line without changes adds no step, and leaves `redoable` as it is.
    private func stageAgain(
        firstName: Int, _ undoable: inout [Bool], _ redoable: inout [Bool], _ body: () throws -> Void
    ) throws {
        names.next = max(names.next, firstName)
        let before = context.undoManager?.undoCount
        let result = Result(catching: body)
        context.undoManager?.closeOpenGroups()
        if case .success = result, context.undoManager?.undoCount == before { return }
        redoable = []
        undoable.append((try? result.get()) != nil)
        try result.get()
    }

    private func loss(_ number: Int, line: String, error: any Error) -> JSONValue {
        let failure = BrowserFailure(error)
        let details = failure.details.map { ($0.key, $0.value) }
        let steps = (try? JSONReader.values(in: Array(line.utf8), of: "the journal").first) ?? .null
        return .object(
            [
                ("line", .count(number + 1)), ("code", .string(failure.code)), ("reason", .string(failure.reason)),
                ("hint", .text(failure.hint)), ("staged", steps),
            ] + details)
    }
}
