import CoreDataStore

/// The managed object classes of one module, as generated sources declare them.
///
/// A module has at most one class that conforms, which is found by its name: `CoreDataGeneratedClasses`. The build plugin
/// writes it; it must be a class, which Swift finds by name, and public, so that the compiler keeps it though no source
/// names it.
public protocol GeneratedClasses {
    /// The classes, in any order; read once, from any thread.
    static var classes: [GeneratedClass] { get }
    /// The classes that only their own files can name, in any order.
    static var hiddenClasses: [HiddenClass] { get }
}

extension GeneratedClasses {
    public static var hiddenClasses: [HiddenClass] { [] }
}

/// One managed object class with the name that entities give it and a table of its properties.
public struct GeneratedClass: Sendable {
    let objectClass: NSManagedObject.Type
    let name: String
    let table: @Sendable () -> PropertyTable

    /// Declares a class by its name in its module, such as `Hero` or `Outer.Inner`; the table is made at its first use.
    public init(
        _ objectClass: NSManagedObject.Type, named name: String, table: @escaping @Sendable () -> PropertyTable
    ) {
        self.objectClass = objectClass
        self.name = name
        self.table = table
    }
}

/// A private class of managed objects, known by its name alone, with a table of its properties.
public struct HiddenClass: Sendable {
    let name: String
    let table: @Sendable () -> PropertyTable

    /// Declares a class by its name in its module; the table, whose properties have no key paths, is made at its first
    /// use.
    public init(named name: String, table: @escaping @Sendable () -> PropertyTable) {
        self.name = name
        self.table = table
    }
}
