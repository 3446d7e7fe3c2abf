import CoreDataStore

/// The managed object classes of one module, declared by generated sources.
///
/// A module has at most one conforming class, which the library looks up by its name, `CoreDataGeneratedClasses`. The
/// build plugin generates it. It must be a class, since Swift can look up a class by name, and public, so that the
/// compiler does not remove it although no source refers to it.
public protocol GeneratedClasses {
    /// The classes, in any order. The library reads the property once, on any thread.
    static var classes: [GeneratedClass] { get }
    /// The private classes, which only their own files can refer to, in any order.
    static var hiddenClasses: [HiddenClass] { get }
}

extension GeneratedClasses {
    public static var hiddenClasses: [HiddenClass] { [] }
}

/// A managed object class with its name in entities and a table of its properties.
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

/// A private managed object class, identified by its name alone, with a table of its properties.
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
