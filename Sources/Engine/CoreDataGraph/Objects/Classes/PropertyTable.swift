import CoreDataStore

/// The properties of a managed object class by number and by name.
///
/// The class's accessors refer to a property by its number, which the entity's layout has resolved to a slot, so that
/// reading a property looks up no name. A subclass's table begins with its superclass's properties: a number means the
/// same property in both. Immutable and made once for each class; can be read on any thread.
public struct PropertyTable: Sendable {
    /// One property of a class.
    public struct Property: Sendable {
        let key: String
        let get: (@Sendable (NSManagedObject) -> Any?)?
        let set: (@Sendable (NSManagedObject, Any?) -> Void)?
        let validate: (@Sendable (NSManagedObject, inout Any?) throws -> Void)?
        nonisolated(unsafe) let keyPath: AnyKeyPath?
        var affecting: Set<String> = []
        /// Throws an error for a value that `set` would stop for.
        private(set) var check: (@Sendable (NSManagedObject, Any?) throws -> Void)?
        /// Whether the property only adds a rule or dependencies to the property that the table has under the key.
        var isAddition = false

        /// A property of the model whose accessors only read and write the stored value.
        public static func stored(_ key: String, _ keyPath: AnyKeyPath? = nil) -> Property {
            Property(key: key, get: nil, set: nil, validate: nil, keyPath: keyPath)
        }

        /// A property with custom accessors, or a computed property outside the model.
        ///
        /// Access by key calls `get` and `set`; without `set` the property is read-only by key.
        public static func custom(
            _ key: String, _ keyPath: AnyKeyPath? = nil, get: @escaping @Sendable (NSManagedObject) -> Any?,
            set: (@Sendable (NSManagedObject, Any?) -> Void)? = nil
        ) -> Property {
            Property(key: key, get: get, set: set, validate: nil, keyPath: keyPath)
        }

        /// A property without accessors, to add `validated(by:)` and `affected(by:)` to the property that the table has
        /// under the key.
        ///
        /// If the table lacks the key, the property is one of the model.
        public static func known(_ key: String) -> Property {
            Property(key: key, get: nil, set: nil, validate: nil, keyPath: nil, isAddition: true)
        }

        /// Returns the property with the keys and dotted key paths that its value depends on: observers of the property
        /// are notified when these change.
        public func affected(by keyPaths: Set<String>) -> Property {
            var property = self
            property.affecting.formUnion(keyPaths)
            return property
        }

        /// Returns the property with a validation rule of the class, which may replace the value it is given, or throw.
        public func validated(
            by rule: @escaping @Sendable (NSManagedObject, inout Any?) throws -> Void
        ) -> Property {
            Property(
                key: key, get: get, set: set, validate: rule, keyPath: keyPath, affecting: affecting, check: check,
                isAddition: isAddition)
        }

        /// Returns the property with a check that throws an error for a value that `set` would stop for.
        func checked(by check: @escaping @Sendable (NSManagedObject, Any?) throws -> Void) -> Property {
            var property = self
            property.check = check
            return property
        }

        /// Returns the property with the rule and dependencies of an addition.
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

    /// Makes a table of the superclass's properties followed by the class's own.
    ///
    /// `keyed` are properties with keys but without numbers, such as computed ones: adding or removing one does not
    /// renumber any accessor. `inherited` gives the names of key paths that lead through this class to properties of
    /// the superclass: `\Sub.name` is not equal to `\Super.name`, and a key path can be observed only if the table has
    /// its name.
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

    /// The key paths to single properties, with the properties' keys.
    var namedKeyPaths: [AnyKeyPath: String] { names }

    func property(named key: String) -> Property? { byKey[key] }
}
