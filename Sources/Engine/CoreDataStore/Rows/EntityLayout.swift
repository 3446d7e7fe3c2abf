import CoreDataModeling
import Synchronization

/// The layout of an entity's rows in memory: each property has slots of a row, or an index in the list of to-many
/// relationships.
///
/// Made once per entity, when the entity's model is first used, and constant afterwards.
///
/// Invariants:
/// 1. `slots[0..<storedCount]` are stored: the attributes that are not transient, and the to-one relationships. Each
///    to-one relationship is followed by a hidden slot with the layout number of its target's entity.
/// 2. The slots of transient attributes and transient to-one relationships come after these and are never in a slab.
/// 3. `number` is the index of the entity in `ModelLayout.entities`; `root` is the index of its root entity among the
///    root entities.
/// 4. `model` is set once, when all layouts of the model are made and before any is used.
@usableFromInline
package final class EntityLayout: ClassDescribed, @unchecked Sendable {
    /// The offset of the tag bytes in a row.
    @inlinable package static var tagsOffset: Int { 16 }

    /// The content of a slot.
    package enum Content {
        case attribute(NSAttributeDescription, AttributeKind)
        case toOne(NSRelationshipDescription)
        /// The layout number of the entity of the to-one relationship's target; the relationship is in the slot before.
        case targetNumber
    }

    package struct Slot {
        package let name: String
        package let content: Content

        fileprivate var hasDecimals: Bool {
            guard case .attribute(let attribute, let kind) = content else { return false }
            return kind == .decimal
                || kind == .composite
                    && CompositeCoding.leaves(of: attribute).contains {
                        $0.attribute.attributeType == .decimalAttributeType
                    }
        }
    }

    /// Where a property's value is found.
    package enum Place {
        case attribute(Int)
        case toOne(Int)
        case toMany(Int)
        case fetched(NSFetchedPropertyDescription)
    }

    /// Retained by the model, which also owns the layout.
    package unowned(unsafe) let entity: NSEntityDescription
    package let number: Int
    package let root: Int
    /// The hash of the root entity's name, which is the same in every version of a model.
    package let rootHash: Int
    package unowned(unsafe) var model: ModelLayout!
    package let slots: [Slot]
    /// The traits of each slot, for code that runs for every object.
    package let traits: ConstantTable<SlotTraits>
    /// The description of the class of the entity's objects.
    package let classes: any ClassDescription
    package let storedCount: Int
    /// Whether the entity has to-one relationships.
    package let hasReferences: Bool
    /// The stored slots of decimal attributes, and of composite attributes with decimal elements.
    package let decimalSlots: [Int]
    package let toMany: [NSRelationshipDescription]
    package let places: [String: Place]
    @usableFromInline package let valuesOffset: Int
    package let rowStride: Int
    /// A number that no other layout of the process has; `stamp + 1` stands for rows of the layout without objects.
    package let stamp = EntityLayout.stamps.wrappingAdd(2, ordering: .relaxed).newValue
    private static let stamps = Atomic(0)
    /// A row with the entity's default values: the snapshot of every object that was never saved.
    package internal(set) var defaultRow: RowSlab! {
        get { madeDefaultRow }
        set { madeDefaultRow = newValue }
    }
    // Set once, before the layout is published.
    @exclusivity(unchecked) private var madeDefaultRow: RowSlab!
    /// The default values of transient attributes, by slot.
    package let transientDefaults: [(Int, HeldValue)]
    /// The slots whose default values are computed when an object is inserted.
    package let runTimeDefaults: [(Int, RunTimeDefault)]
    /// Whether a new object has default values that are not in `defaultRow`: those of transient attributes and computed
    /// ones.
    package let hasComputedDefaults: Bool
    /// Whether the entity is abstract; read once, since the model is frozen.
    package let isAbstract: Bool
    /// The slot or to-many index of each property of the class's property table; -1 for properties that the entity
    /// lacks.
    package let tableSlots: ConstantTable<Int32>

    package init(
        entity: NSEntityDescription, number: Int, root: Int,
        describing describe: (NSEntityDescription, [String: Place]) -> any ClassDescription
    ) {
        self.entity = entity
        self.number = number
        self.root = root
        rootHash = entity.rootEntity.name.hashValue
        let stored = Self.storedSlots(of: entity)
        let transient = Self.transientSlots(of: entity)
        slots = stored + transient
        let traits = slots.map { SlotTraits($0.content) }
        self.traits = ConstantTable(traits)
        hasReferences = traits.contains { $0.contains(.toOne) }
        storedCount = stored.count
        decimalSlots = stored.indices.filter { stored[$0].hasDecimals }
        toMany = entity.relationshipsByName.values.filter { $0.isToMany }.sorted { $0.name < $1.name }
        places = Self.places(slots: slots, toMany: toMany, entity: entity)
        valuesOffset = Self.tagsOffset + (stored.count + 7) & ~7
        rowStride = valuesOffset + stored.count * 8
        classes = describe(entity, places)
        let places = places
        tableSlots = ConstantTable(
            classes.keys.map { key in
                switch places[key] {
                case .attribute(let slot), .toOne(let slot): Int32(slot)
                case .toMany(let index): Int32(index)
                case .fetched, nil: -1
                }
            })
        transientDefaults = DefaultRow.values(of: slots, from: stored.count)
        runTimeDefaults = slots.enumerated().compactMap { slot, value in
            guard case .attribute(let attribute, _) = value.content else { return nil }
            return attribute.runTimeDefault.map { (slot, $0) }
        }
        isAbstract = entity.isAbstract
        hasComputedDefaults = !transientDefaults.isEmpty || !runTimeDefaults.isEmpty
    }

    deinit {
        traits.deallocate()
        tableSlots.deallocate()
    }

    /// The layout of an entity; nil if its model has not been used yet.
    package static func known(_ entity: NSEntityDescription) -> EntityLayout? {
        entity.runtime.load().map { unsafeDowncast($0.layout, to: EntityLayout.self) }
    }
}

extension EntityLayout {
    private static func storedSlots(of entity: NSEntityDescription) -> [Slot] {
        var slots: [Slot] = []
        for property in entity.propertiesByName.values.sorted(by: { $0.name < $1.name }) where !property.isTransient {
            if let attribute = property as? NSAttributeDescription {
                slots += attributeSlots(attribute)
            } else if let relationship = property as? NSRelationshipDescription, !relationship.isToMany {
                slots += toOneSlots(relationship)
            }
        }
        return slots
    }

    private static func toOneSlots(_ relationship: NSRelationshipDescription) -> [Slot] {
        [
            Slot(name: relationship.name, content: .toOne(relationship)),
            Slot(name: relationship.name, content: .targetNumber),
        ]
    }

    private static func attributeSlots(_ attribute: NSAttributeDescription) -> [Slot] {
        [Slot(name: attribute.name, content: .attribute(attribute, AttributeKind(attribute)))]
    }

    private static func transientSlots(of entity: NSEntityDescription) -> [Slot] {
        let attributes = entity.attributesByName.values.filter(\.isTransient).sorted { $0.name < $1.name }
        let relationships = entity.relationshipsByName.values.filter { $0.isTransient && !$0.isToMany }
            .sorted { $0.name < $1.name }
        return attributes.flatMap(attributeSlots) + relationships.flatMap(toOneSlots)
    }

    private static func places(
        slots: [Slot], toMany: [NSRelationshipDescription], entity: NSEntityDescription
    ) -> [String: Place] {
        var places: [String: Place] = [:]
        for (index, slot) in slots.enumerated() {
            switch slot.content {
            case .attribute: places[slot.name] = .attribute(index)
            case .toOne: places[slot.name] = .toOne(index)
            case .targetNumber: continue
            }
        }
        for (index, relationship) in toMany.enumerated() { places[relationship.name] = .toMany(index) }
        for case let property as NSFetchedPropertyDescription in entity.properties {
            places[property.name] = .fetched(property)
        }
        return places
    }
}
