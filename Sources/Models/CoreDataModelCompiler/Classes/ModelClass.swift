import CoreDataModeling

/// A managed object class for generated sources: its name, its superclass and its properties in order.
///
/// `ModelClasses` makes these from models; code that parses Swift sources can make them too. Tables and accessors are
/// generated from these alone.
package struct ModelClass: Hashable, Sendable {
    /// How much of the class is generated.
    package enum Generation: String, Hashable, Sendable, CaseIterable {
        /// The class itself and its properties.
        case definition
        /// The properties only; the class is handwritten.
        case `extension`
        /// Nothing: class and properties are handwritten.
        case manual
    }

    /// The name in sources of the class's module: `Hero`, `Outer.Inner`.
    package var name: String
    /// The name of the entity for `fetchRequest()`; nil for a class that no entity names.
    package var entityName: String?
    /// The name of the superclass in the same form; `NSManagedObject` by default.
    package var superclass: String
    package var generation: Generation
    /// The properties that the class itself declares: attributes, relationships, fetched properties, each sorted by
    /// name.
    package var properties: [ClassProperty]
    /// Properties found in source code, which get the numbers after those of `properties`.
    package var managed: [ManagedKey] = []
    /// The other members that key-value coding uses, for property tables.
    package var keyed: [KeyedEntry] = []
    /// The names of properties of superclasses in other modules.
    package var foreignKeys: [String] = []

    package init(
        name: String, entityName: String?, superclass: String = ModelClass.root, generation: Generation,
        properties: [ClassProperty]
    ) {
        self.name = name
        self.entityName = entityName
        self.superclass = superclass
        self.generation = generation
        self.properties = properties
    }

    /// The base class of all managed object classes.
    package static let root = "NSManagedObject"

    /// The names, as Xcode gives them, of the files that are generated for the class.
    package var fileNames: [String] {
        switch generation {
        case .definition: [classFileName, propertiesFileName]
        case .extension: [propertiesFileName]
        case .manual: []
        }
    }

    package var classFileName: String { name + "+CoreDataClass.swift" }
    package var propertiesFileName: String { name + "+CoreDataProperties.swift" }
}

/// A property in a class's source code that has a number.
package struct ManagedKey: Hashable, Sendable {
    package let key: String
    /// Whether other files of the module can access the property.
    package let isReachable: Bool

    package init(key: String, isReachable: Bool) {
        self.key = key
        self.isReachable = isReachable
    }
}
