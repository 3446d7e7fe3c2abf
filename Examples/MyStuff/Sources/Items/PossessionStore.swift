import CoreData

/// The possessions of a store, in an order of their owner's; every step is saved at once and can be taken back.
public final class PossessionStore {
    /// The title of the list.
    public static let title = "My Stuff"
    public let container: NSPersistentContainer
    public var context: NSManagedObjectContext { container.viewContext }

    /// Opens a store.
    ///
    /// - Throws: what loading the store throws.
    public init(at url: URL) throws {
        container = NSPersistentContainer(name: "MyStuff")
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
        let undoManager = UndoManager()
        undoManager.groupsByEvent = false
        context.undoManager = undoManager
    }

    /// All possessions, or those whose names have a text in them, in their order or in that of a key.
    ///
    /// - Throws: what `fetch(_:)` throws.
    public func possessions(matching text: String? = nil, sortedBy key: String = "orderIndex") throws -> [Possession] {
        let fetchRequest: NSFetchRequest<Possession> = Possession.fetchRequest()
        if let text { fetchRequest.predicate = NSPredicate(format: "name CONTAINS[cd] %@", text) }
        fetchRequest.sortDescriptors = [
            NSSortDescriptor(key: key, ascending: true),
            NSSortDescriptor(keyPath: \Possession.orderIndex, ascending: true),
        ]
        return try context.fetch(fetchRequest)
    }

    /// Adds a possession at the end.
    ///
    /// - Throws: `PossessionError.noValue` for a text that is no whole number; what `save()` throws. Nothing is added then.
    @discardableResult
    public func add(_ name: String, value: String?, image: Data? = nil) throws -> Possession {
        let number = try value.map(Self.number)
        let last = try possessions().last?.orderIndex ?? 0
        return try step {
            let possession = Possession(context: context)
            possession.name = name
            possession.value = number
            possession.image = image
            possession.orderIndex = last + 1
            return possession
        }
    }

    /// Gives a possession another value.
    ///
    /// - Throws: as `add(_:value:image:)`; the possession stays as it was then.
    public func setValue(_ text: String, of possession: Possession) throws {
        let number = try Self.number(text)
        try step { possession.value = number }
    }

    /// Deletes a possession.
    ///
    /// - Throws: what `save()` throws; the possession stays then.
    public func delete(_ possession: Possession) throws { try step { context.delete(possession) } }

    /// Puts the possession at one place of the list to another; only its own index changes.
    ///
    /// - Throws: what fetching and saving throw; the order stays then.
    public func move(from start: Int, to end: Int) throws {
        var others = try possessions()
        guard others.indices.contains(start), others.indices.contains(end), start != end else { return }
        let moved = others.remove(at: start)
        let before = end > 0 ? others[end - 1].orderIndex : others[0].orderIndex - 2
        let after = end < others.count ? others[end].orderIndex : others[end - 1].orderIndex + 2
        try step { moved.orderIndex = (before + after) / 2 }
    }

    /// Takes the last step back; false when there is none.
    ///
    /// - Throws: what `save()` throws.
    public func undo() throws -> Bool {
        guard context.undoManager?.canUndo == true else { return false }
        context.undo()
        try context.save()
        return true
    }

    /// Does something that is saved, or taken back, as one.
    func step<Result>(_ change: () throws -> Result) throws -> Result {
        context.undoManager?.beginUndoGrouping()
        defer { context.undoManager?.endUndoGrouping() }
        do {
            let result = try change()
            try context.save()
            return result
        } catch {
            context.rollback()
            throw error
        }
    }

    /// The number that a text is.
    static func number(_ text: String) throws -> NSNumber {
        guard let number = Int32(text), number >= 0 else { throw PossessionError.noValue(text) }
        return NSNumber(value: number)
    }
}

/// Why something cannot become a possession.
public enum PossessionError: Error, CustomStringConvertible, Equatable {
    /// A text that is no whole number.
    case noValue(String)
    /// A file of an older version that is damaged or something else.
    case noPossessions(String)

    public var description: String {
        switch self {
        case .noValue(let text): "'\(text)' is no value: give a whole number, such as 649."
        case .noPossessions(let name): "'\(name)' has no possessions of an older version in it."
        }
    }
}
