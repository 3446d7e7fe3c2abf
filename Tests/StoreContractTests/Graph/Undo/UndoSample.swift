import CoreData
import StoreContract

/// Every shape of relationship, for what is undone: a tree, pairs, teams and ordered lists.
enum UndoModel {
    static func make() -> NSManagedObjectModel {
        let builder = ModelBuilder()
        builder.entity(
            "Item", class: "StoreContractTests.Item",
            [
                "name": .stringAttributeType, "count": .integer64AttributeType, "weight": .doubleAttributeType,
                "note": .stringAttributeType, "picture": .binaryDataAttributeType,
            ])
        builder.attribute("Item.note").isTransient = true
        builder.attribute("Item.count").defaultValue = 7
        builder.attribute("Item.picture").allowsExternalBinaryDataStorage = true
        builder.relationships("Item.children*", "Item.parent", .cascadeDeleteRule)
        builder.relationships("Item.partner", "Item.admirer")
        builder.relationships("Item.tags*", "Item.tagged*")
        builder.relationships("Item.steps*!", "Item.owner")
        builder.relationships("Item.path*!", "Item.visitors*")
        builder.relationship("Item.link", to: "Item")
        return builder.model
    }

    /// A stack whose context, on a private queue, has an undo manager.
    static func stack(_ kind: StoreKind) throws -> Stack {
        let stack = try Stack(make(), kind: kind)
        stack.context.undoManager = UndoManager()
        return stack
    }
}

final class Item: NSManagedObject {
    var log: [NSSnapshotEventType.RawValue] = []
    var insertions = 0
    var cache: String?

    override func awakeFromInsert() {
        insertions += 1
        setValue("fresh", forKey: "name")
    }

    override func awake(fromSnapshotEvents flags: NSSnapshotEventType) {
        log.append(flags.rawValue)
        cache = name.map { "\($0)!" }
    }

    var name: String? {
        get { value(forKey: "name") as? String }
        set {
            setValue(newValue, forKey: "name")
            if newValue == "dead" { setValue(0, forKey: "count") }
        }
    }
    var count: Int? { (value(forKey: "count") as? NSNumber)?.intValue }
    func one(_ key: String) -> Item? { value(forKey: key) as? Item }
    func set(_ key: String) -> Set<Item> { value(forKey: key) as? Set<Item> ?? [] }
    func list(_ key: String) -> [Item] { (value(forKey: key) as? NSOrderedSet)?.array as? [Item] ?? [] }
}

extension NSManagedObjectContext {
    /// Makes changes in an event of its own, which is one group of the undo manager.
    func event(_ body: () throws -> Void) rethrows {
        try body()
        endEvent()
    }

    func endEvent() {
        processPendingChanges()
        undoManager?.endEvent()
    }

    /// A saved object.
    func savedItem(_ name: String) throws -> Item {
        undoManager?.disableUndoRegistration()
        defer { undoManager?.enableUndoRegistration() }
        let item = item(name)
        try save()
        return item
    }

    func item(_ name: String) -> Item {
        let item = Item(context: self)
        item.name = name
        return item
    }
}
