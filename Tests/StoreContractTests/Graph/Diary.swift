import CoreData
import StoreContract

/// Objects that write down what is called on them, all of one context in one list.
enum DiaryModel {
    static func make() -> NSManagedObjectModel {
        let builder = ModelBuilder()
        builder.entity(
            "Diary", class: "StoreContractTests.Diary",
            ["name": .stringAttributeType, "mood": .stringAttributeType, "draft": .stringAttributeType])
        builder.attribute("Diary.draft").isTransient = true
        builder.relationships("Diary.pages*", "Diary.book", .cascadeDeleteRule)
        builder.relationships("Diary.marks*!", "Diary.marked")
        return builder.model
    }
}

/// What was called on the objects of a context.
final class DiaryLog {
    var lines: [String] = []

    /// The lines since the last call.
    func taken() -> [String] {
        defer { lines = [] }
        return lines
    }

    /// Writes for a context from now on.
    static func of(_ context: NSManagedObjectContext) -> DiaryLog {
        let log = DiaryLog()
        context.userInfo["log"] = log
        return log
    }
}

/// An object whose life is written down; before it is known by its name it is `?`.
final class Diary: NSManagedObject {
    /// What is made of the values and let go with them.
    final class Helper {}

    var label = "?"
    var helper: Helper?
    private var log: DiaryLog?
    /// Done in `prepareForDeletion`.
    var lastWill: ((Diary) -> Void)?

    private func write(_ line: String) { log?.lines.append("\(label) \(line)") }

    private func find() { log = managedObjectContext?.userInfo["log"] as? DiaryLog }

    override func awakeFromInsert() {
        find()
        write("awakeFromInsert")
        setPrimitiveValue("white", forKey: "mood")
    }
    override func awakeFromFetch() {
        find()
        label = primitiveValue(forKey: "name") as? String ?? "?"
        helper = Helper()
        write("awakeFromFetch")
    }
    override func awake(fromSnapshotEvents flags: NSSnapshotEventType) { write("awake \(flags.rawValue)") }
    override func prepareForDeletion() {
        let pages = (value(forKey: "pages") as? NSSet)?.count ?? -1
        write("prepareForDeletion with \(pages) pages")
        lastWill?(self)
    }
    override func willSave() { write("willSave") }
    override func didSave() { write("didSave") }
    override func validateForInsert() throws { write("validateForInsert") }
    override func validateForUpdate() throws { write("validateForUpdate") }
    override func validateForDelete() throws { write("validateForDelete") }
    override func willTurnIntoFault() { write("willTurnIntoFault") }
    override func didTurnIntoFault() {
        helper = nil
        write("didTurnIntoFault")
    }
}

extension NSManagedObjectContext {
    /// Inserts a diary that is known by its name.
    func diary(_ name: String, in book: Diary? = nil) throws -> Diary {
        guard let made = insert("Diary", ["name": name, "book": book]) as? Diary else {
            throw CocoaError(.fileReadUnknown)
        }
        made.label = name
        return made
    }

    /// The diary of a name.
    func found(_ name: String) throws -> Diary {
        let found = try all("Diary", NSPredicate(format: "name == %@", name))
        guard found.count == 1, let diary = found[0] as? Diary else { throw CocoaError(.fileReadUnknown) }
        return diary
    }
}
