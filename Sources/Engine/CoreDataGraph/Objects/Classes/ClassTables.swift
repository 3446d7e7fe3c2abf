import CoreDataStore
import Synchronization

/// The property tables of classes, made when a class is first looked up.
///
/// The table of a class is the first that exists of: its own override of `propertyTable`, the table that generated
/// sources declare for it, the table of its superclass.
enum ClassTables {
    private static let known = Mutex<[ObjectIdentifier: PropertyTable]>([:])

    static func table(of objectClass: NSManagedObject.Type) -> PropertyTable {
        let identifier = ObjectIdentifier(objectClass)
        if let table = known.withLock({ $0[identifier] }) { return table }
        let table = make(objectClass)
        known.withLock { $0[identifier] = table }
        return table
    }

    /// Returns the generated table of a class or of its nearest superclass that has one: the value of `propertyTable`
    /// without an override.
    static func generatedTable(of objectClass: NSManagedObject.Type) -> PropertyTable {
        var next: NSManagedObject.Type? = objectClass
        while let current = next {
            if let entry = GeneratedModule.entry(of: current) { return entry.table() }
            next = superclass(of: current)
        }
        return .empty
    }

    private static func make(_ objectClass: NSManagedObject.Type) -> PropertyTable {
        guard let parent = superclass(of: objectClass) else { return .empty }
        let generated = GeneratedModule.entry(of: objectClass)?.table()
        guard overrides(objectClass, parent: parent, generated: generated) else {
            return generated ?? table(of: parent)
        }
        let own = objectClass.propertyTable
        if let generated, !own.keys.starts(with: generated.keys) {
            stop(
                "Class \(objectClass) overrides propertyTable, and its generated accessors number the properties otherwise: "
                    + "begin the table with super.propertyTable, or leave the override out.")
        }
        return own
    }

    private static func superclass(of objectClass: NSManagedObject.Type) -> NSManagedObject.Type? {
        _getSuperclass(objectClass) as? NSManagedObject.Type
    }

    // MARK: Overriding

    private final class Inheriting: NSManagedObject {}

    private final class Overriding: NSManagedObject {
        override class var propertyTable: PropertyTable { PropertyTable([]) }
    }

    private static let place = MethodPlace(
        inheriting: Inheriting.self, overriding: Overriding.self, base: NSManagedObject.self)

    /// Whether a class overrides `propertyTable`. If the class metadata does not show overrides, this is inferred: its
    /// keys differ from those that the class would inherit.
    private static func overrides(
        _ objectClass: NSManagedObject.Type, parent: NSManagedObject.Type, generated: PropertyTable?
    ) -> Bool {
        if let isOverriding = place.differs(in: objectClass, from: parent) { return isOverriding }
        guard let generated else { return true }
        let (own, inherited) = (objectClass.propertyTable.keys, table(of: parent).keys)
        // An inherited `propertyTable` returns the parent's table, or the class's generated table with the keys that
        // the parent's override adds.
        let added = inherited.dropFirst(generatedTable(of: parent).keys.count)
        return own != inherited && own != generated.keys + added
    }
}

extension PropertyTable {
    /// Returns the table of a class: its override of `propertyTable`, its generated table, or its superclass's table.
    /// Can be called on any thread; the table is made once for each class.
    public static func of(_ objectClass: NSManagedObject.Type) -> PropertyTable { ClassTables.table(of: objectClass) }
}

extension NSManagedObject {
    static var generatedPropertyTable: PropertyTable { ClassTables.generatedTable(of: self) }
    static var presentPropertyTable: PropertyTable { ClassTables.table(of: self) }
}
