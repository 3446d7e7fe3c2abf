import CoreData
import CoreDataBrowserServer
import CoreDataModelEditing
import CoreDataPrinting

/// The operands, options and steps that all commands which edit a model's source share.
enum ModelEditing {
    static let operand = CommandOperand(
        name: "MODEL", help: "A .xcdatamodeld, of which the current version is edited, or a .xcdatamodel.")
    static let item = CommandOperand(
        name: "ITEM",
        help: "Entity, Entity.property, Entity/indexes/NAME, Entity/constraints/A,B, Entity.property/user-info/KEY, "
            + "requests/NAME, configurations/NAME, configurations/NAME/Entity, composites/NAME, "
            + "composites/NAME.attribute, or . for the model.")

    static let version = Option(
        "version", value: "NAME", help: "The version to edit; the current one without it.")

    static let options = [
        version, Option("dry-run", help: "Print what would change, as 'diff -u' does, and write nothing."),
        Option.format([.table, .json]),
    ]

    static let details = [
        "Only the lines that change are rewritten, as Xcode writes them. What would be no model any more is refused, "
            + "and so is a file that another program has changed in the meantime; it is then as it was."
    ]

    /// Computes changes of further files, from the model's source before and after the edits.
    typealias Following = (Arguments, ModelDocument, ModelDocument) throws -> (changes: [FileChange], notes: [String])

    /// Applies the edits that `edits` returns to the model of the first operand, as one step.
    static func run(
        _ arguments: Arguments, output: StandardOutput, following: Following = { _, _, _ in ([], []) },
        edits: () throws -> [ModelEdit]
    ) throws {
        try run(arguments, output, following: following) { _ in (try edits(), []) }
    }

    /// Applies edits that depend on the model as one step; `edits` returns them with messages to report.
    static func run(
        _ arguments: Arguments, _ output: StandardOutput, following: Following = { _, _, _ in ([], []) },
        fitting edits: (ModelDocument) throws -> (edits: [ModelEdit], notes: [String])
    ) throws {
        do {
            try apply(edits, arguments: arguments, output: output, following: following)
        } catch let error as ModelEditError where error.code == .malformedEdit {
            throw arguments.error("\(error.subject): \(error.cause)", hint: error.hint)
        }
    }

    /// The items that words name.
    ///
    /// - Throws: A usage error for a word that does not name an item.
    static func items(_ words: some Sequence<String>, _ arguments: Arguments) throws -> [SourceItem] {
        do { return try words.map { try SourceItem($0) } } catch let error as ModelEditError {
            throw arguments.error("\(error.subject): \(error.cause)", hint: error.hint)
        }
    }

    private static func apply(
        _ fitted: (ModelDocument) throws -> (edits: [ModelEdit], notes: [String]), arguments: Arguments,
        output: StandardOutput, following: Following
    ) throws {
        var file = try ModelSourceFile(at: arguments.path(0), version: arguments["version"])
        let before = try file.document()
        var session = ModelEditSession(before)
        let (edits, fitting) = try fitted(before)
        var notes = try fitting + session.perform(edits)
        notes += ModelEditSession.newFindings(in: session.document, since: before)
        let further = try following(arguments, before, session.document)
        notes += further.notes
        let isDryRun = arguments.has("dry-run")
        if !isDryRun { try FileChange.write(further.changes) { try file.write(session.document) } }
        let model = (before: before.text, after: session.document.text)
        var files = [EditOutcome.File(file.url, from: model.before, to: model.after)]
        files += further.changes.map { EditOutcome.File($0) }
        EditPrinter(output: output).print(
            EditOutcome(files: files, version: file.version, notes: notes, isDryRun: isDryRun),
            isJSON: arguments.format == .json)
    }
}
