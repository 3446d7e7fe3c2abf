import CoreDataModeling
import Synchronization

/// The layouts of all entities of a model, owned by the model; who uses one keeps the model alive.
package final class ModelLayout: @unchecked Sendable {
    package unowned(unsafe) let model: NSManagedObjectModel
    /// In the order of their numbers: each root followed by its descendants.
    package private(set) var entities: [EntityLayout] = []
    package let rootCount: Int
    private let byName: [String: EntityLayout]
    /// The entities for which a class can create objects without an explicit entity.
    private let byClass: [ObjectIdentifier: EntityLayout]

    private init(
        model: NSManagedObjectModel,
        describing describe: (NSEntityDescription, [String: EntityLayout.Place]) -> any ClassDescription
    ) {
        self.model = model
        model.freeze()
        var roots = 0
        var layouts: [EntityLayout] = []
        for entity in NSManagedObjectModel.numbered(model.entities) {
            if entity.superentity == nil { roots += 1 }
            layouts.append(
                EntityLayout(entity: entity, number: layouts.count, root: max(0, roots - 1), describing: describe))
        }
        rootCount = max(1, roots)
        byName = Dictionary(layouts.map { ($0.entity.name ?? "", $0) }, uniquingKeysWith: { first, _ in first })
        byClass = Self.byClass(layouts)
        for layout in layouts {
            layout.model = self
            layout.defaultRow = DefaultRow.make(for: layout)
        }
        entities = layouts
    }

    /// Lets the entities lead to their layouts; may be done by several threads.
    private func publish() {
        for layout in entities { _ = layout.entity.runtime.storeIfNil(DescriptionRuntime(layout)) }
    }

    /// The layout of a model, made at its first use, which freezes the model.
    ///
    /// Several threads may make one at once: that of the first is the model's, and those of the others are discarded.
    package static func of(
        _ model: NSManagedObjectModel,
        describing describe: (NSEntityDescription, [String: EntityLayout.Place]) -> any ClassDescription
    ) -> ModelLayout {
        if let runtime = model.runtime.load() { return unsafeDowncast(runtime.layout, to: ModelLayout.self) }
        let runtime = model.runtime.storeIfNil(DescriptionRuntime(ModelLayout(model: model, describing: describe)))
        let layout = unsafeDowncast(runtime.layout, to: ModelLayout.self)
        layout.publish()
        return layout
    }

    /// Of the entities with one class the only one, or the one that is named like the class.
    private static func byClass(_ layouts: [EntityLayout]) -> [ObjectIdentifier: EntityLayout] {
        Dictionary(grouping: layouts, by: \.classes.identifier).compactMapValues { group in
            group.count == 1 ? group[0] : group.first { $0.entity.name == $0.classes.name }
        }
    }

    /// The layout of the one entity that objects of a class are of; nil where the class alone does not say it.
    package func layout(ofClass identifier: ObjectIdentifier) -> EntityLayout? { byClass[identifier] }

    package func layout(named name: String) -> EntityLayout? { byName[name] }

    /// The layout of an entity of this model; one of an equal model is found by its name.
    package func layout(of entity: NSEntityDescription) -> EntityLayout? {
        if let runtime = entity.runtime.load() {
            let layout = unsafeDowncast(runtime.layout, to: EntityLayout.self)
            if layout.model === self { return layout }
        }
        return byName[entity.name ?? ""]
    }

    /// The layouts of an entity and of all its descendants.
    package func family(of layout: EntityLayout) -> ArraySlice<EntityLayout> {
        let numbers = layout.entity.descendantNumbers
        return entities[(numbers.lowerBound - 1)...(numbers.upperBound - 1)]
    }
}
