import CoreDataModelCompiler

/// A class of managed objects of a module, with its members from sources and models together.
struct ManagedClass: Equatable {
    /// The name as sources of the module write it: `Hero`, `Outer.Inner`.
    let path: String
    /// The superclass, written in the same way.
    let superclass: String
    /// Whether another file of the module can name the class.
    let isReachable: Bool
    /// The class as a model generates it; nil if no model does.
    var generated: ModelClass?
    var properties: [ManagedProperty] = []
    var methods: [ManagedMethod] = []
    var keyed: [KeyedEntry] = []
    var overridesTable = false
    /// The managed properties that the class inherits from classes of other modules.
    var foreignKeys: [String] = []

    /// The keys to which the class gives numbers, in their order: those that models generate, then the sources' own.
    var numberedKeys: [String] {
        let generated = generated?.properties.map(\.key) ?? []
        let own = properties.map(\.name).filter { !isPrimitive($0) }
        let known = generated + own
        return known + MutatorCall.keys(of: methods, known: known).filter { !known.contains($0) }
    }

    /// Whether a property's name, such as `primitiveName`, says that it accesses the primitive value of another
    /// property.
    func isPrimitive(_ name: String) -> Bool { Self.primitiveKey(name) != nil }

    /// The key whose primitive value a property accesses: `name` for `primitiveName`; nil for any other property.
    static func primitiveKey(_ name: String) -> String? {
        guard name.hasPrefix("primitive"), let first = name.dropFirst(9).first, first.isUppercase else { return nil }
        return first.lowercased() + name.dropFirst(10)
    }
}
