import CoreDataStore

/// The properties of a managed object class by number and by name.
///
/// Accessors of the class name a property by its number, which the entity's layout has resolved to a slot: reading a
/// property looks up no name. A subclass's table begins with its superclass's properties, so a number means the same
/// property in both. Made once a class, immutable, safe to read from any thread.
public struct PropertyTable: Sendable {
    /// One property of a class.
    public struct Property: Sendable {
        let key: String
        let get: (@Sendable (NSManagedObject) -> Any?)?
        let set: (@Sendable (NSManagedObject, Any?) -> Void)?
        let validate: (@Sendable (NSManagedObject, inout Any?) throws -> Void)?
        nonisolated(unsafe) let keyPath: AnyKeyPath?
        var affecting: Set<String> = []
        /// Throws for a value that `set` would stop for.
        private(set) var check: (@Sendable (NSManagedObject, Any?) throws -> Void)?
        /// Whether it only adds to what a table has under the key.
        var isAddition = false

        /// A property of the model whose accessors only read and write the stored value.
        public static func stored(_ key: String, _ keyPath: AnyKeyPath? = nil) -> Property {
            Property(key: key, get: nil, set: nil, validate: nil, keyPath: keyPath)
        }

        /// A property with custom accessors, or a computed property outside the model.
        ///
        /// Access by key calls them; without `set` the property is read-only by key.
        public static func custom(
            _ key: String, _ keyPath: AnyKeyPath? = nil, get: @escaping @Sendable (NSManagedObject) -> Any?,
            set: (@Sendable (NSManagedObject, Any?) -> Void)? = nil
        ) -> Property {
            Property(key: key, get: get, set: set, validate: nil, keyPath: keyPath)
        }

        /// Adds `validated(by:)` and `affected(by:)` of a class to the property that the table has under the key.
        ///
        /// If the table lacks the key, it stands for a property of the model.
        public static func known(_ key: String) -> Property {
            Property(key: key, get: nil, set: nil, validate: nil, keyPath: nil, isAddition: true)
        }

        /// The property with the keys and dotted key paths that its value depends on, whose changes are changes of it.
        public func affected(by keyPaths: Set<String>) -> Property {
            var property = self
            property.affecting.formUnion(keyPaths)
            return property
        }

        /// The property with a rule of the class's own, which may replace the value it is given, or throw.
        public func validated(
            by rule: @escaping @Sendable (NSManagedObject, inout Any?) throws -> Void
        ) -> Property {
            Property(
                key: key, get: get, set: set, validate: rule, keyPath: keyPath, affecting: affecting, check: check,
                isAddition: isAddition)
        }

        /// The property with what throws for a value that `set` would stop for.
        func checked(by check: @escaping @Sendable (NSManagedObject, Any?) throws -> Void) -> Property {
            var property = self
            property.check = check
            return property
        }

        /// A property with what is added to it.
        fileprivate func adding(_ addition: Property) -> Property {
            Property(
                key: key, get: get, set: set, validate: addition.validate ?? validate, keyPath: keyPath,
                affecting: affecting.union(addition.affecting), check: check)
        }
    }

    /// The table of a class without properties of its own.
    public static let empty = PropertyTable([])

    private let properties: [Property]
    private let byKey: [String: Property]
    nonisolated(unsafe) private let names: [AnyKeyPath: String]

    /// A table of the superclass's properties followed by a class's own.
    ///
    /// `keyed` are properties that are known by their keys only and not numbered, such as computed ones: adding or removing
    /// one does not renumber any accessor. `inherited` names key paths that lead through this class to
    /// properties of the superclass: `\Sub.name` is another key path than `\Super.name`, and only those that are named
    /// can be observed.
    public init(
        extending superclass: PropertyTable? = nil, _ own: [Property], keyed: [Property] = [],
        inherited: [AnyKeyPath: String] = [:]
    ) {
        properties = (superclass?.properties ?? []) + own
        var byKey = superclass?.byKey ?? [:]
        for property in own + keyed {
            let present = property.isAddition ? byKey[property.key] : nil
            byKey[property.key] = present?.adding(property) ?? property
        }
        self.byKey = byKey
        let named = (own + keyed).compactMap { property in property.keyPath.map { ($0, property.key) } }
        names = (superclass?.names ?? [:]).merging(named) { _, last in last }.merging(inherited) { own, _ in own }
    }

    /// The names of the properties that have numbers, in their order.
    public var keys: [String] { properties.map(\.key) }

    /// The key paths that have names of one part.
    var namedKeyPaths: [AnyKeyPath: String] { names }

    func property(named key: String) -> Property? { byKey[key] }
}
