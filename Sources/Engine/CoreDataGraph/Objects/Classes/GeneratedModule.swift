import CoreDataStore
import Synchronization

/// The declarations in a module's generated sources; looked up once for each module.
final class GeneratedModule: Sendable {
    /// The name of the type that declares a module's classes.
    static let typeName = "CoreDataGeneratedClasses"

    private let byClass: [ObjectIdentifier: GeneratedClass]
    private let byName: [String: GeneratedClass]
    private let hidden: [String: HiddenClass]

    private static let known = Mutex<[String: GeneratedModule]>([:])

    private init(_ classes: [GeneratedClass], hidden: [HiddenClass]) {
        self.hidden = Dictionary(hidden.map { ($0.name, $0) }) { first, _ in first }
        byClass = Dictionary(classes.map { (ObjectIdentifier($0.objectClass), $0) }) { first, _ in first }
        byName = Dictionary(classes.map { ($0.name, $0) }) { first, _ in first }
    }

    /// Returns the module with a name; a module without generated sources has no declarations.
    static func named(_ name: String) -> GeneratedModule {
        if let known = known.withLock({ $0[name] }) { return known }
        let declared = _typeByName("\(name).\(typeName)") as? any GeneratedClasses.Type
        let made = GeneratedModule(declared?.classes ?? [], hidden: declared?.hiddenClasses ?? [])
        return known.withLock { known in
            let module = known[name] ?? made
            known[name] = module
            return module
        }
    }

    /// Returns the declaration of a class in its own module's generated sources, or nil.
    static func entry(of objectClass: NSManagedObject.Type) -> GeneratedClass? {
        let name = _typeName(objectClass, qualified: true)
        guard let module = name.split(separator: ".").first else { return nil }
        let declarations = named(String(module))
        if let entry = declarations.byClass[ObjectIdentifier(objectClass)] { return entry }
        // The name of a private class contains a discriminator of its file in parentheses.
        guard name.contains("("), !declarations.hidden.isEmpty else { return nil }
        let own = plainName(of: objectClass).dropFirst(module.count + 1)
        guard let entry = declarations.hidden[String(own)] else { return nil }
        return GeneratedClass(objectClass, named: entry.name, table: entry.table)
    }

    /// Returns the name of a class with its module, without the discriminators of private types.
    static func plainName(of objectClass: NSManagedObject.Type) -> String {
        var (plain, depth) = ("", 0)
        var isFile = false
        // `App.(Hero in _5F)` and `App.(unknown context at $5f).Hero` are both `App.Hero`.
        let name = _typeName(objectClass, qualified: true).replacing("(unknown context at ", with: "( in ")
        for character in name {
            switch character {
            case "(": depth += 1
            case ")": (depth, isFile) = (depth - 1, false)
            case " " where depth > 0: isFile = true
            default: if !isFile { plain.append(character) }
            }
        }
        return plain.split(separator: ".").joined(separator: ".")
    }

    /// Returns the class with a name that begins with its module: `App.Hero`, `App.Outer.Inner`.
    static func objectClass(qualified name: String) -> NSManagedObject.Type? {
        let parts = name.split(separator: ".", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        return named(String(parts[0])).byName[String(parts[1])]?.objectClass
    }
}
