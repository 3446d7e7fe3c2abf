import CoreDataModeling

/// A class of managed objects as generated sources need it: its name, its superclass and its properties in order.
///
/// Models give them (`ModelClasses`); what reads Swift sources can make them too. Tables and accessors are written of
/// these alone.
package struct ModelClass: Hashable, Sendable {
    /// How much of the class is generated.
    package enum Generation: String, Hashable, Sendable, CaseIterable {
        /// The class itself and its properties.
        case definition
        /// The properties only; the class is written by hand.
        case `extension`
        /// Nothing: class and properties are written by hand.
        case manual
    }

    /// The name as Swift sources of the class's module write it: `Hero`, `Outer.Inner`.
    package var name: String
    /// The name of the entity of `fetchRequest()`; nil for a class that no entity names.
    package var entityName: String?
    /// The superclass in the same way; `NSManagedObject` for one without another.
    package var superclass: String
    package var generation: Generation
    /// The properties that the class itself declares, attributes first, each kind in the order of names.
    package var properties: [ClassProperty]
    /// The properties of sources behind them that have numbers too.
    package var managed: [ManagedKey] = []
    /// The other members that access by key calls, as property tables list them.
    package var keyed: [KeyedEntry] = []
    /// Properties of superclasses in other modules.
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

    /// The class that every other one inherits from.
    package static let root = "NSManagedObject"

    /// The files that are generated for the class, by the names that Xcode gives them.
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

/// A key of a class's sources that has a number.
package struct ManagedKey: Hashable, Sendable {
    package let key: String
    /// Whether another file of the module can name the property.
    package let isReachable: Bool

    package init(key: String, isReachable: Bool) {
        self.key = key
        self.isReachable = isReachable
    }
}
