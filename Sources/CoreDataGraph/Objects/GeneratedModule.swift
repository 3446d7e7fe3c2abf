import CoreDataModeling
import Synchronization

/// What a module's generated sources tell of its classes; looked up once a module.
final class GeneratedModule: Sendable {
    /// The name of the type that tells of a module's classes.
    static let typeName = "CoreDataGeneratedClasses"

    private let byClass: [ObjectIdentifier: GeneratedClass]
    private let byName: [String: GeneratedClass]

    private static let known = Mutex<[String: GeneratedModule]>([:])

    private init(_ classes: [GeneratedClass]) {
        byClass = Dictionary(classes.map { (ObjectIdentifier($0.objectClass), $0) }) { first, _ in first }
        byName = Dictionary(classes.map { ($0.name, $0) }) { first, _ in first }
    }

    /// The module of a name; one without generated sources tells of no class.
    static func named(_ name: String) -> GeneratedModule {
        if let known = known.withLock({ $0[name] }) { return known }
        let told = _typeByName("\(name).\(typeName)") as? any GeneratedClasses.Type
        let made = GeneratedModule(told?.classes ?? [])
        return known.withLock { known in
            let module = known[name] ?? made
            known[name] = module
            return module
        }
    }

    /// What is told of a class in its own module.
    static func entry(of objectClass: NSManagedObject.Type) -> GeneratedClass? {
        let name = _typeName(objectClass, qualified: true)
        guard let module = name.split(separator: ".").first else { return nil }
        return named(String(module)).byClass[ObjectIdentifier(objectClass)]
    }

    /// The class of a name that begins with its module: `App.Hero`, `App.Outer.Inner`.
    static func objectClass(qualified name: String) -> NSManagedObject.Type? {
        let parts = name.split(separator: ".", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        return named(String(parts[0])).byName[String(parts[1])]?.objectClass
    }
}
