import CoreDataModeling
import Synchronization

/// The layouts of all entities of a model. The model owns it; users of a layout retain the model.
package final class ModelLayout: @unchecked Sendable {
    package unowned(unsafe) let model: NSManagedObjectModel
    /// Sorted by their numbers: each root entity is followed by its descendants.
    package private(set) var entities: [EntityLayout] = []
    package let rootCount: Int
    private let byName: [String: EntityLayout]
    /// The only entity of each class, for creating objects of the class without naming an entity.
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

    /// Stores each layout in its entity; several threads may do so at once.
    private func publish() {
        for layout in entities { _ = layout.entity.runtime.storeIfNil(DescriptionRuntime(layout)) }
    }

    /// The layout of a model, made at its first use, which freezes the model.
    ///
    /// Several threads may make one at once: the first one stored is used, the others are discarded.
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

    /// Finds for each class its only entity, or of several the one that has the class's name.
    private static func byClass(_ layouts: [EntityLayout]) -> [ObjectIdentifier: EntityLayout] {
        Dictionary(grouping: layouts, by: \.classes.identifier).compactMapValues { group in
            group.count == 1 ? group[0] : group.first { $0.entity.name == $0.classes.name }
        }
    }

    /// The layout of the entity of a class's objects; nil if the class has several entities and none has the class's
    /// name.
    package func layout(ofClass identifier: ObjectIdentifier) -> EntityLayout? { byClass[identifier] }

    package func layout(named name: String) -> EntityLayout? { byName[name] }

    /// The layout of an entity of this model; an entity of another model is looked up by its name.
    package func layout(of entity: NSEntityDescription) -> EntityLayout? {
        if let runtime = entity.runtime.load() {
            let layout = unsafeDowncast(runtime.layout, to: EntityLayout.self)
            if layout.model === self { return layout }
        }
        return byName[entity.name ?? ""]
    }

    /// The layouts of an entity and all of its descendants.
    package func family(of layout: EntityLayout) -> ArraySlice<EntityLayout> {
        let numbers = layout.entity.descendantNumbers
        return entities[(numbers.lowerBound - 1)...(numbers.upperBound - 1)]
    }
}
